ALTER TABLE `jobs` ADD `marks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `most_marks` integer DEFAULT 0 NOT NULL;