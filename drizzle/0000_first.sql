CREATE TABLE `configurations` (
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`text` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_configuration_a_repository` ON `configurations` (`installation_id`,`repository_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`guid` text PRIMARY KEY NOT NULL,
	`event` text NOT NULL,
	`hook_target_id` text,
	`received_at` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`body` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_by_age` ON `deliveries` (`received_at`);--> statement-breakpoint
CREATE TABLE `delivery_parts` (
	`guid` text NOT NULL,
	`part` integer NOT NULL,
	`body` blob NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_part_a_place` ON `delivery_parts` (`guid`,`part`);--> statement-breakpoint
CREATE TABLE `dismissals` (
	`repository_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`finding_id` text NOT NULL,
	`fingerprint` text NOT NULL,
	`rule` text NOT NULL,
	`dismissal` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_dismissal_a_finding` ON `dismissals` (`repository_id`,`finding_id`);--> statement-breakpoint
CREATE TABLE `effects` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text NOT NULL,
	`kind` text NOT NULL,
	`payload` text NOT NULL,
	`run_id` text NOT NULL,
	`subject_key` text NOT NULL,
	`subject` text NOT NULL,
	`installation_id` integer NOT NULL,
	`head_sha` text NOT NULL,
	`state` text NOT NULL,
	`sending_since` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`result` text,
	`error` text,
	`planned_at` text NOT NULL,
	`settled_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_effect_a_key` ON `effects` (`key`);--> statement-breakpoint
CREATE INDEX `effects_by_subject` ON `effects` (`subject_key`,`state`,`sequence`);--> statement-breakpoint
CREATE INDEX `effects_by_run` ON `effects` (`run_id`);--> statement-breakpoint
CREATE INDEX `effects_by_installation` ON `effects` (`installation_id`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`trace_id` text NOT NULL,
	`version` integer NOT NULL,
	`at` text NOT NULL,
	`source` text NOT NULL,
	`type` text NOT NULL,
	`payload` text NOT NULL,
	`phase` text,
	`actor` text,
	`duration_ms` real,
	`cost` text,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_event_a_version` ON `events` (`trace_id`,`version`);--> statement-breakpoint
CREATE TABLE `findings` (
	`repository_id` integer NOT NULL,
	`finding_id` text NOT NULL,
	`subject_key` text NOT NULL,
	`subject_number` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`finding` text NOT NULL,
	`state` text NOT NULL,
	`placement` text,
	`comment_id` integer,
	`head_sha` text NOT NULL,
	`dismissal` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_finding_an_id` ON `findings` (`repository_id`,`finding_id`);--> statement-breakpoint
CREATE INDEX `findings_by_subject` ON `findings` (`subject_key`);--> statement-breakpoint
CREATE INDEX `findings_by_installation` ON `findings` (`installation_id`);--> statement-breakpoint
CREATE TABLE `guards` (
	`passed` integer NOT NULL,
	CONSTRAINT "guard_passed" CHECK(passed = 1)
);
--> statement-breakpoint
CREATE TABLE `instance` (
	`id` integer PRIMARY KEY NOT NULL,
	`born_at` text NOT NULL,
	`key` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`payload` text NOT NULL,
	`run_id` text,
	`priority` integer NOT NULL,
	`run_at` text NOT NULL,
	`state` text NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`lost_leases` integer DEFAULT 0 NOT NULL,
	`owner` text,
	`token` integer DEFAULT 0 NOT NULL,
	`lease_until` text,
	`cancel_requested` integer DEFAULT false NOT NULL,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `jobs_by_turn` ON `jobs` (`state`,`priority`,`run_at`,`id`);--> statement-breakpoint
CREATE INDEX `jobs_at_work` ON `jobs` (`key`) WHERE state = 'running';--> statement-breakpoint
CREATE INDEX `jobs_by_run` ON `jobs` (`run_id`) WHERE run_id is not null;--> statement-breakpoint
CREATE TABLE `memories` (
	`sequence` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`type` text NOT NULL,
	`agent_type` text,
	`content` text NOT NULL,
	`context` text NOT NULL,
	`tags` text NOT NULL,
	`keywords` text NOT NULL,
	`confidence` real NOT NULL,
	`origin` text NOT NULL,
	`taught_by` text,
	`thread` text,
	`source_event` text,
	`cites` text NOT NULL,
	`metadata` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`last_used_at` text NOT NULL,
	`expires_at` text,
	`access_count` integer DEFAULT 0 NOT NULL,
	`embedding_method` text,
	`embedding` F32_BLOB
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_memory_an_id` ON `memories` (`id`);--> statement-breakpoint
CREATE INDEX `memories_by_change` ON `memories` (`installation_id`,`repository_id`,`revision`);--> statement-breakpoint
CREATE INDEX `memories_by_method` ON `memories` (`embedding_method`,`sequence`);--> statement-breakpoint
CREATE TABLE `memory_scopes` (
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`revision` integer NOT NULL,
	`deletions` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_count_a_scope` ON `memory_scopes` (`installation_id`,`repository_id`);--> statement-breakpoint
CREATE TABLE `owners` (
	`id` integer PRIMARY KEY NOT NULL,
	`pid` integer NOT NULL,
	`host` text NOT NULL,
	`process_name` text NOT NULL,
	`since` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `patterns` (
	`id` text PRIMARY KEY NOT NULL,
	`installation_id` integer NOT NULL,
	`repository_id` integer NOT NULL,
	`type` text NOT NULL,
	`trigger` text NOT NULL,
	`pattern` text NOT NULL,
	`resolution` text NOT NULL,
	`frequency` integer NOT NULL,
	`success_rate` real NOT NULL,
	`confidence` real NOT NULL,
	`last_seen_at` text NOT NULL,
	`archived` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `patterns_by_scope` ON `patterns` (`installation_id`,`repository_id`);--> statement-breakpoint
CREATE TABLE `pauses` (
	`repository_id` integer PRIMARY KEY NOT NULL,
	`installation_id` integer NOT NULL,
	`by` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `runs` (
	`trace_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_key` text NOT NULL,
	`subject` text NOT NULL,
	`repository_id` integer NOT NULL,
	`installation_id` integer NOT NULL,
	`status` text NOT NULL,
	`head_sha` text NOT NULL,
	`base_sha` text NOT NULL,
	`request_id` text NOT NULL,
	`started_at` text NOT NULL,
	`ended_at` text,
	`conclusion` text,
	`version` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `one_active_run` ON `runs` (`subject_key`,`kind`) WHERE status in ('pending', 'running', 'waiting');--> statement-breakpoint
CREATE INDEX `runs_by_subject` ON `runs` (`subject_key`,`started_at`);--> statement-breakpoint
CREATE INDEX `runs_by_head` ON `runs` (`repository_id`,`head_sha`);--> statement-breakpoint
CREATE INDEX `runs_by_start` ON `runs` (`started_at`);--> statement-breakpoint
CREATE INDEX `runs_by_installation` ON `runs` (`installation_id`);--> statement-breakpoint
CREATE TABLE `writes` (
	`installation_id` integer NOT NULL,
	`at` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `writes_by_installation` ON `writes` (`installation_id`,`at`);