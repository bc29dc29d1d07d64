import { ProviderError } from './api.ts'
import { errorWithoutEcho } from '../without-echo.ts'

const MIB = 1024 * 1024

/** Of an answer to a sync: the longest lists of large fleets are tens of MiB. */
export const MOST_BYTES_READ = 128 * MIB

/** Of an answer to who signs in. */
export const MOST_BYTES_SIGNING_IN = MIB

/** The bytes of an answer, counted as they are unpacked. Of one that has more nothing more is read. */
export async function bytesWithin(
  response: Response,
  mostBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const TOO_LARGE = 'the answer is larger than '

/** Whether an answer had more than is read of one. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ProviderError && error.message.startsWith(TOO_LARGE)

/** The whole text of an answer. */
export async function textWithin(
  response: Response,
  mostBytes: number,
  secrets: readonly string[] = [],
): Promise<string> {
  const tooLarge = () =>
    new ProviderError('malformed', `${TOO_LARGE}${Number((mostBytes / MIB).toFixed(2))} MiB`)
  try {
    return new TextDecoder().decode(await bytesWithin(response, mostBytes, tooLarge))
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause
    throw new ProviderError('unavailable', 'the answer broke off', {
      cause: errorWithoutEcho(cause, secrets),
    })
  }
}

/** More of an error is not read. */
const MOST_ERROR_TEXT = 64 * 1024

/** The beginning of an error's text, as far as it came. */
export async function beginningOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > MOST_ERROR_TEXT) break
    }
  } catch {
    return text
  }
  return text
}
