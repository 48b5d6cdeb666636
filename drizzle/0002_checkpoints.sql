CREATE TABLE `checkpoints` (
	`trace_id` text NOT NULL,
	`agent` text NOT NULL,
	`sequence` integer NOT NULL,
	`at` text NOT NULL,
	`content` text NOT NULL,
	PRIMARY KEY(`trace_id`, `agent`, `sequence`)
);
