import { ProviderError } from '../provider-error.ts'
import { redactSecretsInError } from '../../platform/logging/redact-secrets.ts'

const MIB = 1024 * 1024

/** Of an answer to a sync: the longest lists of large fleets are tens of MiB. */
export const MAX_READ_BYTES = 128 * MIB

/** Of an answer to who signs in. */
export const MAX_SIGN_IN_BYTES = MIB

/** The bytes of an answer, counted as they are unpacked. Of one that has more nothing more is read. */
export async function readBytes(
  response: Response,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const TOO_LARGE = 'the answer is larger than '

/** Whether an answer had more than is read of one. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ProviderError && error.message.startsWith(TOO_LARGE)

/** The whole text of an answer. */
export async function readText(
  response: Response,
  maxBytes: number,
  secrets: readonly string[] = [],
): Promise<string> {
  const tooLarge = () =>
    new ProviderError('malformed', `${TOO_LARGE}${Number((maxBytes / MIB).toFixed(2))} MiB`)
  try {
    return new TextDecoder().decode(await readBytes(response, maxBytes, tooLarge))
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the answer broke off', {
      cause: redactSecretsInError(cause, secrets),
    })
  }
}

/** More of an error is not read. */
const MAX_ERROR_TEXT = 64 * 1024

/** The beginning of an error's text, as far as it came. */
export async function readErrorText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MAX_ERROR_TEXT) break
    }
  } catch {
    return text
  }
  return text
}
