import { mildToken, type SecretFormat, token, UUID } from "./secret-format.ts";

/** Payments, shops, banks and parcels. */
export const PAYMENTS: readonly SecretFormat[] = [
  token("stripe-key", "a live Stripe key", "k_live_", "[rs]k_live_[0-9a-zA-Z]{20,247}", { inside: 2 }),
  mildToken("stripe-test-key", "a Stripe test key", "k_test_", "[rs]k_test_[0-9a-zA-Z]{20,247}", { inside: 2 }),
  token("stripe-webhook-secret", "a Stripe webhook secret", "whsec_", "whsec_[0-9a-zA-Z+/=]{32,64}", {
    confidence: 0.85,
  }),
  token("square-token", "a Square token", "sq0", "sq0(?:atp|csp)-[\\w-]{22,43}(?![\\w-])"),
  token("square-access-token", "a Square access token", "EAAA", "(?<![\\w+/=-])EAAA[\\w-]{60}(?![\\w+/=-])", {
    confidence: 0.85,
  }),
  token(
    "braintree-token",
    "a Braintree access token",
    "access_token$",
    "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}",
  ),
  token("plaid-token", "a Plaid access token", "access-", `access-(?:sandbox|development|production)-${UUID}`),
  token("flutterwave-secret-key", "a Flutterwave secret key", "FLWSECK", "FLWSECK(?:_TEST)?-[a-zA-Z0-9]{32}-X"),
  token("flutterwave-encryption-key", "a Flutterwave encryption key", "FLWSECK", "FLWSECK_TEST-?[a-zA-Z0-9]{12}"),
  mildToken("flutterwave-public-key", "a Flutterwave public key", "FLWPUBK", "FLWPUBK(?:_TEST)?-[a-zA-Z0-9]{32}-X"),
  token("razorpay-key", "a Razorpay key id", "rzp_live_", "rzp_live_[A-Za-z0-9]{14}"),
  mildToken("lob-test-key", "a Lob test key", "test_", "test_[a-f0-9]{35}"),
  token("lob-key", "a Lob key", "live_", "live_[a-f0-9]{35}"),
  mildToken("lob-publishable-key", "a Lob publishable key", "_pub_", "(?:test|live)_pub_[a-f0-9]{31}", { inside: 6 }),
  token("easypost-key", "an EasyPost key", "EZAK", "EZAK[A-Za-z0-9]{54}"),
  mildToken("easypost-test-key", "an EasyPost test key", "EZTK", "EZTK[A-Za-z0-9]{54}"),
  token("shippo-token", "a Shippo token", "shippo_", "shippo_(?:live|test)_[a-f0-9]{40}"),
  token("shopify-token", "a Shopify token", "shp", "shp(?:at|ca|pa|ss|ua|it)_[a-fA-F0-9]{32}"),
  token("woocommerce-key", "a WooCommerce key", ["ck_", "cs_"], "c[ks]_[a-f0-9]{40}", { confidence: 0.85 }),
  token("ebay-key", "an eBay key", "PRD-", "PRD-[a-f0-9]{12}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}"),
  token("gocardless-token", "a GoCardless token", "live_", "live_[\\w=-]{40}(?![\\w=-])", { confidence: 0.75 }),
  token("paddle-key", "a Paddle key", "pdl_", "pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}"),
  token("xendit-key", "a Xendit key", "xnd_", "xnd_(?:production|development)_[A-Za-z0-9]{40,80}"),
  token("midtrans-key", "a Midtrans server key", "Mid-server-", "Mid-server-[\\w-]{24}"),
  token("mercadopago-token", "a Mercado Pago token", "APP_USR-", "APP_USR-\\d{10,20}-\\d{6}-[a-f0-9]{32}-\\d{6,12}"),
  token("duffel-token", "a Duffel token", "duffel_", "duffel_(?:test|live)_[\\w=-]{43}"),
  token("asaas-key", "an Asaas key", "$aact_", "\\$aact_(?:prod_|hmlg_)?[A-Za-z0-9+/=:]{60,200}", { confidence: 0.85 }),
  token(
    "adyen-key",
    "an Adyen key",
    "AQE",
    "AQE[a-z][a-z0-9]{1,3}[A-Za-z0-9+/=.]{60,300}-[A-Za-z0-9+/=]{20,80}-[\\w<>!&^?;:(){}@#$%*+,./|~=[\\]-]{8,60}",
    { confidence: 0.8 },
  ),
];
