ALTER TABLE `runs` ADD `branch` text;--> statement-breakpoint
ALTER TABLE `runs` ADD `pull_number` integer;--> statement-breakpoint
CREATE INDEX `runs_by_pull` ON `runs` (`repository_id`,`pull_number`);