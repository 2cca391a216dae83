/** Characters of a secret that are as good as the whole. */
const BEGINNING = 12;

/** How a secret may stand in what was emitted. Written apart from what the product masks. */
const FORMS: Readonly<Record<string, (secret: string) => readonly string[]>> = {
  plain: (secret) => [secret],
  // What is cut off in the middle tells as much.
  beginning: (secret) => [secret.slice(0, BEGINNING)],
  json: (secret) => [quoted(secret), quoted(quoted(secret)), ascii(quoted(secret)), slashed(quoted(secret))],
  url: (secret) => {
    const encoded = encodeURIComponent(secret);
    return [
      encoded,
      encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      encoded.split('%20').join('+'),
    ];
  },
  html: (secret) => [
    secret.split('&').join('&amp;').split('<').join('&lt;').split('>').join('&gt;').split('"').join('&quot;'),
  ],
  hex: (secret) => {
    const digits = [...new TextEncoder().encode(secret)]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
    return [digits, digits.toUpperCase()];
  },
  // Wherever a secret begins in a longer text, one of three cuttings of it is encoded whole.
  base64: (secret) => {
    const bytes = Buffer.from(secret);
    return [0, 1, 2].flatMap((skipped) => {
      const whole = bytes.subarray(skipped, skipped + Math.floor((bytes.length - skipped) / 3) * 3);
      return [whole.toString('base64'), whole.toString('base64url')];
    });
  },
};

/** Anything shorter is found by chance. */
const MIN_LENGTH = 8;

export interface FoundSecret {
  readonly secret: string;
  readonly form: string;
  readonly where: string;
  /** What stands around it. */
  readonly context: string;
}

/** Every secret that a run used, to be looked for in everything that it emitted. */
export class SecretSearch {
  private readonly secrets = new Map<string, string>();

  /** @returns the value, for the caller to use */
  add(name: string, value: string): string {
    if (value.length < MIN_LENGTH) throw new Error(`The secret ${name} is too short to be looked for.`);
    this.secrets.set(name, value);
    return value;
  }

  get count(): number {
    return this.secrets.size;
  }

  /** Which of them stand in the text, in the first form that is found. */
  findIn(where: string, text: string): FoundSecret[] {
    return [...this.secrets].flatMap(([secret, value]) => {
      for (const [form, spell] of Object.entries(FORMS)) {
        const spelling = spell(value).find((one) => one.length >= MIN_LENGTH && text.includes(one));
        if (spelling === undefined) continue;
        const at = text.indexOf(spelling);
        return [
          { secret, form, where, context: text.slice(Math.max(0, at - 80), at + spelling.length + 40) },
        ];
      }
      return [];
    });
  }
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function ascii(text: string): string {
  return text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function slashed(text: string): string {
  return text.split('/').join('\\/');
}
