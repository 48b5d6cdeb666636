import { mildToken, type SecretFormat, token, UUID } from "./secret-format.ts";

/** Chat, mail, telephone and push services. */
export const MESSAGING: readonly SecretFormat[] = [
  token("slack-token", "a Slack token", "xox", "xox[abeoprs](?:\\.xox[bp])?-[0-9A-Za-z-]{20,250}"),
  token("slack-app-token", "a Slack app token", "xapp-", "xapp-\\d-[A-Za-z0-9]{8,14}-\\d{8,16}-[A-Za-z0-9]{30,80}"),
  token(
    "slack-webhook",
    "a Slack webhook",
    "hooks.slack.com",
    "hooks\\.slack\\.com/(?:services|workflows|triggers)/(?:T[A-Z0-9]{6,14}/[AB]?[A-Z0-9]{6,18}/(?:\\d{10,20}/)?([A-Za-z0-9]{17,46})|[A-Za-z0-9+/]{43,56})",
  ),
  token(
    "teams-webhook",
    "a Microsoft Teams webhook",
    "webhook.office.com",
    `webhook\\.office\\.com/webhookb2/${UUID}@${UUID}/IncomingWebhook/[a-zA-Z0-9]{32}/${UUID}`,
  ),
  token(
    "discord-webhook",
    "a Discord webhook",
    "/api/webhooks/",
    "discord(?:app)?\\.com/api/webhooks/\\d{17,20}/([\\w-]{60,80})",
  ),
  token(
    "discord-bot-token",
    "a Discord bot token",
    ".",
    "[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38}(?![\\w.-])",
    { confidence: 0.85 },
  ),
  token("telegram-token", "a Telegram bot token", ":A", "\\d{6,16}:A[\\w-]{34}(?![\\w-])"),
  token("twilio-key", "a Twilio key", "SK", "SK[0-9a-fA-F]{32}", { confidence: 0.85 }),
  mildToken("twilio-account", "a Twilio account id", "AC", "AC[0-9a-f]{32}", { confidence: 0.6 }),
  token("sendgrid-key", "a SendGrid key", "SG.", "SG\\.(?:[\\w-]{22}\\.[\\w-]{43}|[\\w=.-]{66})(?![\\w-])"),
  token("mailgun-key", "a Mailgun key", "key-", "key-[0-9a-f]{32}", { confidence: 0.85 }),
  mildToken("mailgun-public-key", "a Mailgun validation key", "pubkey-", "pubkey-[0-9a-f]{32}"),
  token("mailchimp-key", "a Mailchimp key", "-us", "[0-9a-f]{32}-us\\d{1,2}"),
  token("mandrill-key", "a Mandrill key", "md-", "md-[\\w-]{22}(?![\\w-])", { confidence: 0.7 }),
  token("brevo-key", "a Brevo key", ["xkeysib-", "xsmtpsib-"], "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
  token("resend-key", "a Resend key", "re_", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
  token("intercom-token", "an Intercom token", "dG9rOj", "dG9rOj[A-Za-z0-9+/]{46,54}={0,2}"),
  token("facebook-page-token", "a Facebook access token", "EAA", "(?<![\\w+/=-])EAA[A-Za-z0-9]{80,250}(?![\\w+/=-])"),
  token("facebook-app-token", "a Facebook app token", "|", "\\d{15,16}\\|[\\w-]{27,40}(?![\\w-])", {
    confidence: 0.85,
  }),
  token("instagram-token", "an Instagram token", "IGQ", "IGQ[VW][A-Za-z0-9_-]{100,250}"),
  token(
    "twitter-bearer-token",
    "an X (Twitter) bearer token",
    "AAAAAAAAAAAAAAAAAAAA",
    "(?<![\\w+/=-])A{22}[A-Za-z0-9%]{80,100}",
  ),
  token("onesignal-key", "a OneSignal key", "os_v2_", "os_v2_(?:app|org)_[a-z0-9]{80,120}"),
  token("klaviyo-key", "a Klaviyo key", "pk_", "pk_[a-f0-9]{34}"),
  token("courier-key", "a Courier key", "pk_prod_", "pk_prod_[A-Z0-9]{28}"),
  token("beamer-token", "a Beamer token", "b_", "(?<![\\w=-])b_[A-Za-z0-9=_-]{44}(?![\\w=-])", { confidence: 0.75 }),
];
