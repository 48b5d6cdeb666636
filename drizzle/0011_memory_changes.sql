CREATE TABLE `memory_changes` (
	`memory_id` text NOT NULL,
	`cause` text NOT NULL,
	`installation_id` integer NOT NULL,
	`delta` real NOT NULL,
	`at` text NOT NULL,
	PRIMARY KEY(`memory_id`, `cause`)
);
--> statement-breakpoint
CREATE INDEX `memory_changes_by_installation` ON `memory_changes` (`installation_id`);