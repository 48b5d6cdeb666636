-- A scope that is forgotten and comes back begins at a later revision than it ever had, as its count begins with the clock.
CREATE VIRTUAL TABLE `memory_words` USING fts5(facets, content, context, tags, keywords, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `memory_inserted` AFTER INSERT ON `memories` BEGIN
	INSERT INTO `memory_scopes` (`installation_id`, `repository_id`, `revision`) VALUES (new.`installation_id`, new.`repository_id`, unixepoch() * 1000)
		ON CONFLICT (`installation_id`, `repository_id`) DO UPDATE SET `revision` = `revision` + 1;
	UPDATE `memories` SET `revision` = (SELECT s.`revision` FROM `memory_scopes` s WHERE s.`installation_id` = new.`installation_id` AND s.`repository_id` = new.`repository_id`)
		WHERE `sequence` = new.`sequence`;
	INSERT INTO `memory_words` (rowid, facets, content, context, tags, keywords)
		SELECT new.`sequence`, 'i' || new.`installation_id` || 'r' || new.`repository_id` || ' type' || new.`type`, new.`content`, new.`context`, new.`tags`, new.`keywords`
		WHERE new.`archived` = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_changed` AFTER UPDATE OF `archived`, `type`, `agent_type`, `content`, `context`, `tags`, `keywords`, `confidence`, `expires_at`, `embedding_method`, `embedding` ON `memories`
	WHEN old.`archived` <> new.`archived` OR old.`type` <> new.`type` OR old.`agent_type` IS NOT new.`agent_type` OR old.`content` <> new.`content`
		OR old.`context` <> new.`context` OR old.`tags` <> new.`tags` OR old.`keywords` <> new.`keywords` OR old.`confidence` <> new.`confidence`
		OR old.`expires_at` IS NOT new.`expires_at` OR old.`embedding_method` IS NOT new.`embedding_method` OR old.`embedding` IS NOT new.`embedding`
BEGIN
	UPDATE `memory_scopes` SET `revision` = `revision` + 1 WHERE `installation_id` = new.`installation_id` AND `repository_id` = new.`repository_id`;
	UPDATE `memories` SET `revision` = (SELECT s.`revision` FROM `memory_scopes` s WHERE s.`installation_id` = new.`installation_id` AND s.`repository_id` = new.`repository_id`)
		WHERE `sequence` = new.`sequence`;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_reworded` AFTER UPDATE OF `archived`, `type`, `content`, `context`, `tags`, `keywords` ON `memories`
	WHEN old.`archived` <> new.`archived` OR old.`type` <> new.`type` OR old.`content` <> new.`content`
		OR old.`context` <> new.`context` OR old.`tags` <> new.`tags` OR old.`keywords` <> new.`keywords`
BEGIN
	DELETE FROM `memory_words` WHERE rowid = old.`sequence`;
	INSERT INTO `memory_words` (rowid, facets, content, context, tags, keywords)
		SELECT new.`sequence`, 'i' || new.`installation_id` || 'r' || new.`repository_id` || ' type' || new.`type`, new.`content`, new.`context`, new.`tags`, new.`keywords`
		WHERE new.`archived` = 0;
END;
--> statement-breakpoint
CREATE TRIGGER `memory_deleted` AFTER DELETE ON `memories` BEGIN
	DELETE FROM `memory_words` WHERE rowid = old.`sequence`;
	UPDATE `memory_scopes` SET `deletions` = `deletions` + 1 WHERE `installation_id` = old.`installation_id` AND `repository_id` = old.`repository_id`;
END;
