CREATE TABLE `patterns` (
	`id` text PRIMARY KEY NOT NULL,
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`state` text NOT NULL,
	`kind` text NOT NULL,
	`trigger` text NOT NULL,
	`pattern` text NOT NULL,
	`resolution` text NOT NULL,
	`frequency` integer NOT NULL,
	`success_rate` real,
	`confidence` real NOT NULL,
	`last_seen_at` text NOT NULL,
	`episodes` text NOT NULL,
	`replay` text,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `patterns_by_scope` ON `patterns` (`installation_id`,`repository_id`);--> statement-breakpoint
ALTER TABLE `memories` ADD `linked_to` integer;--> statement-breakpoint
ALTER TABLE `memories` ADD `replaced_by` text;--> statement-breakpoint
ALTER TABLE `memories` ADD `put_away` text;--> statement-breakpoint
ALTER TABLE `memories` ADD `restored_at` text;--> statement-breakpoint
ALTER TABLE `memory_scopes` ADD `consolidated_at` text;--> statement-breakpoint
CREATE TRIGGER `memory_linked` AFTER UPDATE OF `linked_to`, `replaced_by` ON `memories`
	WHEN old.`linked_to` IS NOT new.`linked_to` OR old.`replaced_by` IS NOT new.`replaced_by`
BEGIN
	UPDATE `memory_scopes` SET `revision` = `revision` + 1 WHERE `installation_id` = new.`installation_id` AND `repository_id` = new.`repository_id`;
	UPDATE `memories` SET `revision` = (SELECT s.`revision` FROM `memory_scopes` s WHERE s.`installation_id` = new.`installation_id` AND s.`repository_id` = new.`repository_id`)
		WHERE `sequence` = new.`sequence`;
END;
