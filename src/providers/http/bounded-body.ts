import { ProviderError } from '../provider-error.ts'
import { redactSecretsInError } from '../../platform/logging/redact-secrets.ts'

const MIB = 1024 * 1024

/** Size limit of a response with data. The longest lists of large fleets have tens of MiB. */
export const MAX_READ_BYTES = 128 * MIB

/** Size limit of a response to a sign-in. */
export const MAX_SIGN_IN_BYTES = MIB

/** Reads a response body. Stops and throws if it exceeds the limit, which counts decompressed bytes. */
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

/** Whether the error means that a response exceeded its size limit. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ProviderError && error.message.startsWith(TOO_LARGE)

/** Reads a response body as text. Throws a `ProviderError` if the body is too large or ends early. */
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
    throw new ProviderError('unavailable', 'the response ended early', {
      cause: redactSecretsInError(cause, secrets),
    })
  }
}

/** Error texts are short: the rest of a longer one is not read. */
const MAX_ERROR_CHARACTERS = 64 * 1024

/** Reads the beginning of an error response. If the connection breaks, returns the text received so far. */
export async function readErrorText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MAX_ERROR_CHARACTERS) break
    }
  } catch {
    return text
  }
  return text
}
