// The phrases that the check looks for. docs/plain-english.md says what to write instead.

/** Dated words, and words that a dictionary offers but that readers of American English rarely meet. */
const DATED = [
  /\banew\b/i,
  /\bbeside\b(?! the point)/i,
  /\b(learnt|spelt|spoilt|dearer|dearest)\b/i,
  /\bmend(s|ed|ing)?\b/i,
  /\b(thereof|therein|whereby|thereby|hence)\b/i,
  /\bshall\b/i,
];

/** Actors without a role. */
const NAMELESS = [/\bsomebody('s)?\b/i, /\bwho(m)?ever\b/i];

/** Passives that leave out who acts. */
const PASSIVE = [/\b(is|are|was|were|be|being) (told|heard|spoken)\b(?! apart)/i];

/** Verbs of place and movement where the sentence only means "is" or "fails". */
const PLACED = [
  /\b(come|comes|came|coming) (to nothing|of it|of that|about)\b/i,
  /\b(stands?|stood) (in(?! for\b| front\b)|on|at|there|still|so|here|for itself|as it|now|against|beside)\b/i,
  /\b(lies?|lay|lays|laid) (aside|among|there|beside)\b/i,
];

/** Idioms translated word by word. */
const TRANSLATED = [
  /\b(is|are|was|were|open|ready) no more\b(?! than)/i,
  /\b(no|any) more(?=[.,;:)]|$)/i,
  /\bsign of life\b/i,
  /\ball the same(?=[.,;:)]|$)/i,
  /\bis none[.,;)]/i,
  /\b(is|are) no [a-z]+[.,;] (What|Who)\b/,
  /\bhow things stand\b/i,
  /\bas (it|they) stands?\b/i,
];

/** British spellings. */
const BRITISH = [
  /\b(behaviours?|labelled|catalogues?|analys(e|ed|er|ers|ing))\b/i,
  /\b[a-z]*(organ|neutral|recogn|normal|author|initial|sanit|serial|final)is(e|es|ed|ing|ation)\b/i,
];

/** Phrases that are never right in this repository. */
export const SUSPECT_PHRASES: readonly RegExp[] = [
  ...DATED,
  ...NAMELESS,
  ...PASSIVE,
  ...PLACED,
  ...TRANSLATED,
  ...BRITISH,
];

/** Phrases that are often right, and often worth a second look. */
export const HINTED_PHRASES: readonly RegExp[] = [
  // A line that starts with a relative clause whose noun is missing. A question may start so.
  /^\s*(What|Who|Whose|Whom|Of those|Of that|By what|Nothing of) (is|are|was|has|have|had|can|does|did|comes|stands|nobody|[a-z]+s) [^?]*$/,
  /\bpeople('s)?\b/i,
  /\bso that\b/i,
  /\bmeanwhile\b/i,
  /\b(begins?|beginning|began|begun)\b/i,
  /\bcarr(y|ies|ied|ying) out\b/i,
  /\b(says?|said) (so|it|that|nothing|yes|no)\b/i,
  /\b(go|goes|going|went) on\b/i,
  /\bat work\b|\bunder way\b/i,
  /\btime-outs?\b|\bcheck-runs?\b|\bset-up\b/i,
  /\bsuch an?\b|\band the like\b/i,
  /\blikewise\b/i,
  /\bputs? (it |them |that )?off\b|\bset aside\b/i,
];
