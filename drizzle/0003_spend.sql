CREATE TABLE `spend` (
	`id` text PRIMARY KEY NOT NULL,
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`subject_key` text NOT NULL,
	`run_id` text NOT NULL,
	`phase` text NOT NULL,
	`day` text NOT NULL,
	`micros` integer NOT NULL,
	`least_micros` integer NOT NULL,
	`state` text NOT NULL,
	`provider` text NOT NULL,
	`model` text NOT NULL,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`cache_read_tokens` integer DEFAULT 0 NOT NULL,
	`cache_write_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spend_by_run` ON `spend` (`run_id`,`phase`,`micros`);--> statement-breakpoint
CREATE INDEX `spend_by_subject` ON `spend` (`subject_key`,`micros`);--> statement-breakpoint
CREATE INDEX `spend_by_repository` ON `spend` (`repository_id`,`day`,`micros`);--> statement-breakpoint
CREATE INDEX `spend_by_installation` ON `spend` (`installation_id`,`day`,`micros`);--> statement-breakpoint
CREATE INDEX `spend_by_day` ON `spend` (`day`,`micros`);