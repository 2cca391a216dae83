import { z } from 'zod';

/** One line of text for people: no control characters. The pattern is one that every language reads. */
export function lineOfText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, 'This holds a control character. Send one line of text.');
}
