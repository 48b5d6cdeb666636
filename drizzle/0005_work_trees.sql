CREATE TABLE `work_trees` (
	`trace_id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL,
	`base` text NOT NULL,
	`head` text NOT NULL,
	`tree` text NOT NULL,
	`merged` text NOT NULL,
	`pack` blob NOT NULL
);
