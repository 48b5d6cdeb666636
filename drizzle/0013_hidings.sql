CREATE TABLE `hidings` (
	`repository_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`hiding_id` text NOT NULL,
	`class` text NOT NULL,
	`state` text NOT NULL,
	`by` text NOT NULL,
	`at` text NOT NULL,
	`probes_right` integer DEFAULT 0 NOT NULL,
	`probes_wrong` integer DEFAULT 0 NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_class_an_id` ON `hidings` (`repository_id`,`hiding_id`);--> statement-breakpoint
ALTER TABLE `findings` ADD `outcome` text;