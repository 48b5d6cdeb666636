CREATE TABLE `write_pauses` (
	`installation_id` integer PRIMARY KEY NOT NULL,
	`until` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `writes` ADD `content` integer DEFAULT true NOT NULL;