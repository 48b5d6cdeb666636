CREATE TABLE `feedback_counts` (
	`subject_key` text NOT NULL,
	`installation_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`count` integer NOT NULL,
	`first_at` text NOT NULL,
	`last_at` text NOT NULL,
	`told` integer NOT NULL,
	`resolved` integer NOT NULL,
	`told_resolved` integer NOT NULL,
	PRIMARY KEY(`subject_key`, `fingerprint`)
);
--> statement-breakpoint
CREATE TABLE `feedback_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `feedback_messages_by_age` ON `feedback_messages` (`at`);