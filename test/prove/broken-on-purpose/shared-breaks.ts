import { subjects } from '../../support/providers/subjects.ts'
import { afterTrouble, type Break, type Guard } from './break.ts'

const at = { provider: 'shared', kind: 'rule' } as const
const ANSWERED = 'src/providers/http/http-response.ts'
const API = 'src/providers/http/create-provider-api.ts'
const again = (only: string): Guard => ({ file: 'test/unit/providers/asking-again.test.ts', only })
const retryAfter = (only: string): Guard => ({ file: 'test/unit/providers/retry-after.test.ts', only })

/** What every adapter is built on. */
export const sharedBreaks: readonly Break[] = [
  {
    ...at,
    says: 'a Retry-After of a part of a second is not read',
    file: ANSWERED,
    text: 'seconds < 0 ? undefined : seconds * 1000',
    instead: 'Number.isInteger(seconds) ? seconds * 1000 : undefined',
    guard: retryAfter('0.40235'),
  },
  {
    ...at,
    says: 'a Retry-After is taken for milliseconds',
    file: ANSWERED,
    text: 'seconds < 0 ? undefined : seconds * 1000',
    instead: 'seconds < 0 ? undefined : seconds',
    guard: retryAfter('58'),
  },
  {
    ...at,
    says: 'a Retry-After of a date is not read',
    file: ANSWERED,
    text: 'Number.isNaN(at) ? undefined : Math.max(0, at - now)',
    instead: 'undefined',
    guard: retryAfter('GMT'),
  },
  {
    ...at,
    says: 'errors of the server are not tried again',
    file: ANSWERED,
    text: 'if (status >= 500 || status === 408)',
    instead: 'if (status === 408)',
    guard: again('after an outage'),
  },
  {
    ...at,
    says: 'an answer that breaks off is taken for one that cannot be read',
    file: 'src/providers/http/bounded-body.ts',
    text: "throw new ProviderError('unavailable', 'the answer broke off'",
    instead: "throw new ProviderError('malformed', 'the answer broke off'",
    guard: again('after an answer that breaks off'),
  },
  {
    ...at,
    says: 'nothing is tried a second time',
    file: API,
    text: 'const ATTEMPTS = 5',
    instead: 'const ATTEMPTS = 1',
    guard: again('after a limit'),
  },
  {
    ...at,
    says: 'what is wrong with a request is tried again',
    file: API,
    text: "if (error.kind !== 'limited' && error.kind !== 'unavailable') return null",
    instead: '',
    guard: again('after 403'),
  },
  {
    ...at,
    says: 'a pause that is told is not kept',
    file: API,
    text: 'error.retryAfterMs ?? 250',
    instead: 'undefined ?? 250',
    guard: again('is left to who asks'),
  },
  {
    ...at,
    says: 'however long a pause is, a request waits for it',
    file: API,
    text: 'pauseMs > MAX_WAIT_MS ? null : pauseMs',
    instead: 'Math.min(pauseMs, MAX_WAIT_MS)',
    guard: again('a pause until 16 is left to who asks'),
  },
  {
    ...at,
    says: 'credentials that are refused are not renewed',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'revoked'",
    instead: 'false',
    guard: { file: 'test/unit/providers/asking.test.ts', only: 'is asked for again with another, once' },
  },
  {
    ...at,
    says: 'a page is stored without the place after it',
    file: 'src/sync/pipeline/page-batch.ts',
    text: 'await saveCheckpoints(tx, newestOf(pages))',
    instead: 'newestOf(pages)',
    guard: {
      file: 'test/integration/sync/feed.test.ts',
      only: 'sqlite.*is gone on with after its last page',
    },
  },
]

interface Rule {
  readonly says: string
  readonly text: string
  readonly instead: string
  /** After which trouble, of those that may befall any provider. */
  readonly trouble: string
  /** Of these another rule comes to the same. */
  readonly notOf?: readonly string[]
}

/** MyGeotab tells its errors in answers of status 200: of statuses it has no rule. */
const TELLS_NO_STATUS = 'geotab'
/** At Motive whoever is refused is asked for once more whether the account is signed in. */
const ASKS_AGAIN = 'motive'

const rules: readonly Rule[] = [
  {
    says: 'a limit is taken for revoked credentials',
    text: "if (status === 429) return new ProviderError('limited'",
    instead: "if (status === 429) return new ProviderError('revoked'",
    trouble: 'a limit for a whole second',
  },
  {
    says: 'one kind of record that may not be read disconnects the account',
    text: "if (status === 403) return new ProviderError('scope_missing'",
    instead: "if (status === 403) return new ProviderError('revoked'",
    trouble: 'a kind of record that the account may not read',
    notOf: [ASKS_AGAIN],
  },
  {
    says: 'revoked credentials are taken for an answer that cannot be read',
    text: "if (status === 401) return new ProviderError('revoked'",
    instead: "if (status === 401) return new ProviderError('malformed'",
    trouble: 'revoked credentials',
  },
]

/** The same rules for each adapter that a sync is proved with. */
export const rulesOfEach: readonly Break[] = subjects
  .filter(({ provider }) => provider !== TELLS_NO_STATUS)
  .flatMap(({ provider }) =>
    rules
      .filter(({ notOf = [] }) => !notOf.includes(provider))
      .map(({ says, text, instead, trouble }) => ({
        says,
        text,
        instead,
        provider,
        kind: 'rule' as const,
        file: ANSWERED,
        guard: afterTrouble(provider, trouble),
      })),
  )
