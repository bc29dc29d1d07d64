import { subjects } from '../../support/providers/subjects/subjects.ts'
import { afterFailure, type Break, type Guard } from './break.ts'

const at = { provider: 'shared', kind: 'rule' } as const
const ANSWERED = 'src/providers/http/http-response.ts'
const API = 'src/providers/http/create-provider-api.ts'
const again = (only: string): Guard => ({ file: 'test/unit/providers/retries.test.ts', only })
const retryAfter = (only: string): Guard => ({ file: 'test/unit/providers/retry-after.test.ts', only })

/** Breaks in the base of every adapter. */
export const sharedBreaks: readonly Break[] = [
  {
    ...at,
    description: 'a Retry-After of a part of a second is ignored',
    file: ANSWERED,
    text: 'seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)',
    replacement: 'Number.isInteger(seconds) ? seconds * 1000 : undefined',
    guard: retryAfter('0.40235'),
  },
  {
    ...at,
    description: 'a Retry-After is mistaken for milliseconds',
    file: ANSWERED,
    text: 'seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)',
    replacement: 'seconds < 0 ? undefined : seconds',
    guard: retryAfter('58'),
  },
  {
    ...at,
    description: 'a Retry-After with a date is ignored',
    file: ANSWERED,
    text: 'Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS)',
    replacement: 'undefined',
    guard: retryAfter('GMT'),
  },
  {
    ...at,
    description: 'server errors are not retried',
    file: ANSWERED,
    text: 'if (status >= 500 || status === 408)',
    replacement: 'if (status === 408)',
    guard: again('after an outage'),
  },
  {
    ...at,
    description: 'a truncated response is mistaken for an unreadable one',
    file: 'src/providers/http/bounded-body.ts',
    text: "throw new ProviderError('unavailable', 'the response ended early'",
    replacement: "throw new ProviderError('malformed', 'the response ended early'",
    guard: again('after an answer that breaks off'),
  },
  {
    ...at,
    description: 'nothing is retried',
    file: API,
    text: 'const ATTEMPTS = 5',
    replacement: 'const ATTEMPTS = 1',
    guard: again('after a limit'),
  },
  {
    ...at,
    description: 'a client error is retried',
    file: API,
    text: "if (error.kind !== 'limited' && error.kind !== 'unavailable') return null",
    replacement: '',
    guard: again('after 403'),
  },
  {
    ...at,
    description: 'the pause of a response is ignored',
    file: API,
    text: 'error.retryAfterMs ?? 250',
    replacement: 'undefined ?? 250',
    guard: again('is left to who asks'),
  },
  {
    ...at,
    description: 'a request waits for a pause of any length',
    file: API,
    text: 'pauseMs > MAX_WAIT_MS ? null : pauseMs',
    replacement: 'Math.min(pauseMs, MAX_WAIT_MS)',
    guard: again('a pause until 16 is left to who asks'),
  },
  {
    ...at,
    description: 'refused credentials are not renewed',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'revoked'",
    replacement: 'false',
    guard: { file: 'test/unit/providers/requests.test.ts', only: 'is asked for again with another, once' },
  },
  {
    ...at,
    description: 'a page is stored without its cursor',
    file: 'src/sync/pipeline/page-batch.ts',
    text: 'await saveCheckpoints(tx, newestOf(pages))',
    replacement: 'newestOf(pages)',
    guard: {
      file: 'test/integration/sync/feed.test.ts',
      only: 'sqlite.*that fails is continued after its last page',
    },
  },
]

interface Rule {
  readonly description: string
  readonly text: string
  readonly replacement: string
  /** Name of one of the failures that any provider can have. */
  readonly failure: string
  /** Providers at which another rule has the same effect. */
  readonly notOf?: readonly string[]
}

/** MyGeotab reports errors in responses of status 200, so it has no rule for statuses. */
const HAS_NO_STATUS_RULE = 'geotab'
/** On a refusal the Motive adapter also checks whether the account is still signed in. */
const CHECKS_SIGN_IN = 'motive'

const rules: readonly Rule[] = [
  {
    description: 'a rate limit is mistaken for revoked credentials',
    text: "if (status === 429) return new ProviderError('limited'",
    replacement: "if (status === 429) return new ProviderError('revoked'",
    failure: 'a rate limit for a whole second',
  },
  {
    description: 'a missing permission for one model disconnects the account',
    text: "if (status === 403) return new ProviderError('scope_missing'",
    replacement: "if (status === 403) return new ProviderError('revoked'",
    failure: 'a model without permission',
    notOf: [CHECKS_SIGN_IN],
  },
  {
    description: 'revoked credentials are mistaken for an unreadable response',
    text: "if (status === 401) return new ProviderError('revoked'",
    replacement: "if (status === 401) return new ProviderError('malformed'",
    failure: 'revoked credentials',
  },
]

/** The same rules for each adapter with sync tests. */
export const rulesOfEach: readonly Break[] = subjects
  .filter(({ provider }) => provider !== HAS_NO_STATUS_RULE)
  .flatMap(({ provider }) =>
    rules
      .filter(({ notOf = [] }) => !notOf.includes(provider))
      .map(({ description, text, replacement, failure }) => ({
        description,
        text,
        replacement,
        provider,
        kind: 'rule' as const,
        file: ANSWERED,
        guard: afterFailure(provider, failure),
      })),
  )
