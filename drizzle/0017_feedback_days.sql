CREATE TABLE `feedback_days` (
	`subject_key` text NOT NULL,
	`installation_id` integer NOT NULL,
	`day` text NOT NULL,
	`heard` integer NOT NULL,
	`others` integer NOT NULL,
	`others_told` integer NOT NULL,
	`changes` integer NOT NULL,
	PRIMARY KEY(`subject_key`, `day`)
);
--> statement-breakpoint
CREATE TABLE `folded_logs` (
	`trace_id` text PRIMARY KEY NOT NULL,
	`fold` text NOT NULL,
	`version` integer NOT NULL,
	`hash` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `feedback_counts` ADD `issue_at` text;--> statement-breakpoint
CREATE INDEX `feedback_issues` ON `feedback_counts` (`subject_key`,`issue_at`) WHERE issue_at is not null;--> statement-breakpoint
CREATE INDEX `feedback_counts_by_age` ON `feedback_counts` (`last_at`) WHERE issue_at is null;--> statement-breakpoint
CREATE INDEX `runs_by_name` ON `runs` (lower((subject ->> '$.repository.owner') || '/' || (subject ->> '$.repository.name')),`started_at`);--> statement-breakpoint
UPDATE `feedback_counts` SET `issue_at` = `shown`.`at` FROM (
	SELECT `trace_id`, json_extract(`payload`, '$.standing.feedback.fingerprint') AS `fingerprint`, min(`at`) AS `at`
	FROM `events`
	WHERE `type` = 'feedback.received' AND json_extract(`payload`, '$.standing.more') IS NULL
	GROUP BY 1, 2
) AS `shown` WHERE `shown`.`trace_id` = `feedback_counts`.`subject_key` AND `shown`.`fingerprint` = `feedback_counts`.`fingerprint`;
