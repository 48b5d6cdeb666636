ALTER TABLE `jobs` ADD `deaths` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `moved` integer DEFAULT false NOT NULL;