ALTER TABLE `feedback_counts` ADD `shown` text;--> statement-breakpoint
UPDATE `feedback_counts` SET `shown` = `told`.`standing` FROM (
	SELECT `trace_id`, json_extract(`payload`, '$.standing.feedback.fingerprint') AS `fingerprint`, json_extract(`payload`, '$.standing') AS `standing`, max(`version`)
	FROM `events`
	WHERE `type` = 'feedback.received' AND json_extract(`payload`, '$.standing.more') IS NULL
	GROUP BY 1, 2
) AS `told` WHERE `told`.`trace_id` = `feedback_counts`.`subject_key` AND `told`.`fingerprint` = `feedback_counts`.`fingerprint`;
