CREATE INDEX `runs_by_status` ON `runs` (`status`,`started_at`);--> statement-breakpoint
CREATE INDEX `runs_by_repository` ON `runs` (`repository_id`,`started_at`);