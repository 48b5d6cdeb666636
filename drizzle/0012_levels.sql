CREATE TABLE `level_actions` (
	`repository_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`subject_key` text NOT NULL,
	`level` integer NOT NULL,
	`action` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `actions_by_repository` ON `level_actions` (`repository_id`);--> statement-breakpoint
CREATE TABLE `levels` (
	`repository_id` integer PRIMARY KEY NOT NULL,
	`installation_id` integer NOT NULL,
	`standing` text NOT NULL,
	`changes` integer NOT NULL,
	`after_outcome` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `run_outcomes` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run_id` text NOT NULL,
	`repository_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`subject` text NOT NULL,
	`outcome` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_outcome_a_run` ON `run_outcomes` (`run_id`);--> statement-breakpoint
CREATE INDEX `outcomes_by_repository` ON `run_outcomes` (`repository_id`,`sequence`);