CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`person_id` integer NOT NULL,
	`login` text NOT NULL,
	`token` text NOT NULL,
	`ends_at` text NOT NULL,
	`access_version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_person` ON `sessions` (`person_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_end` ON `sessions` (`ends_at`);