import { subjects } from '../../support/providers/subjects/subjects.ts'
import { failureTests, type Mutant, type TestSelection } from './mutant.ts'

const at = { provider: 'shared', kind: 'rule' } as const
const HTTP_RESPONSE = 'src/providers/http/http-response.ts'
const PROVIDER_API = 'src/providers/http/create-provider-api.ts'
const retryTests = (only: string): TestSelection => ({ file: 'test/unit/providers/retries.test.ts', only })
const retryAfterTests = (only: string): TestSelection => ({
  file: 'test/unit/providers/retry-after.test.ts',
  only,
})

/** Mutants of code that all adapters share. */
export const sharedMutants: readonly Mutant[] = [
  {
    ...at,
    description: 'a Retry-After of a part of a second is ignored',
    file: HTTP_RESPONSE,
    text: 'seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)',
    replacement: 'Number.isInteger(seconds) ? seconds * 1000 : undefined',
    killedBy: retryAfterTests('0.40235'),
  },
  {
    ...at,
    description: 'a Retry-After is mistaken for milliseconds',
    file: HTTP_RESPONSE,
    text: 'seconds < 0 ? undefined : Math.min(seconds * 1000, MAX_RETRY_AFTER_MS)',
    replacement: 'seconds < 0 ? undefined : seconds',
    killedBy: retryAfterTests('58'),
  },
  {
    ...at,
    description: 'a Retry-After with a date is ignored',
    file: HTTP_RESPONSE,
    text: 'Number.isNaN(at) ? undefined : Math.min(Math.max(0, at - now), MAX_RETRY_AFTER_MS)',
    replacement: 'undefined',
    killedBy: retryAfterTests('GMT'),
  },
  {
    ...at,
    description: 'server errors are not retried',
    file: HTTP_RESPONSE,
    text: 'if (status >= 500 || status === 408)',
    replacement: 'if (status === 408)',
    killedBy: retryTests('after an outage'),
  },
  {
    ...at,
    description: 'a truncated response is mistaken for an unreadable one',
    file: 'src/providers/http/bounded-body.ts',
    text: "throw new ProviderError('unavailable', 'the response ended early'",
    replacement: "throw new ProviderError('malformed', 'the response ended early'",
    killedBy: retryTests('after a response that breaks off'),
  },
  {
    ...at,
    description: 'nothing is retried',
    file: PROVIDER_API,
    text: 'const ATTEMPTS = 5',
    replacement: 'const ATTEMPTS = 1',
    killedBy: retryTests('after a rate limit'),
  },
  {
    ...at,
    description: 'a client error is retried',
    file: PROVIDER_API,
    text: "if (error.kind !== 'limited' && error.kind !== 'unavailable') return null",
    replacement: '',
    killedBy: retryTests('after 403'),
  },
  {
    ...at,
    description: 'the pause of a response is ignored',
    file: PROVIDER_API,
    text: 'error.retryAfterMs ?? 250',
    replacement: 'undefined ?? 250',
    killedBy: retryTests('is left to the caller'),
  },
  {
    ...at,
    description: 'a request waits for a pause of any length',
    file: PROVIDER_API,
    text: 'pauseMs > MAX_WAIT_MS ? null : pauseMs',
    replacement: 'Math.min(pauseMs, MAX_WAIT_MS)',
    killedBy: retryTests('a long pause of 16 is left to the caller'),
  },
  {
    ...at,
    description: 'refused credentials are not renewed',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'invalid_credentials'",
    replacement: 'false',
    killedBy: {
      file: 'test/unit/providers/requests.test.ts',
      only: 'a request with an expired session is retried once with a new session',
    },
  },
  {
    ...at,
    description: 'a page is stored without its cursor',
    file: 'src/sync/pipeline/page-batch.ts',
    text: 'await saveCheckpoints(tx, newestOf(pages))',
    replacement: 'newestOf(pages)',
    killedBy: {
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
    replacement: "if (status === 429) return new ProviderError('invalid_credentials'",
    failure: 'a rate limit for a whole second',
  },
  {
    description: 'a missing permission for one model disconnects the account',
    text: "if (status === 403) return new ProviderError('scope_missing'",
    replacement: "if (status === 403) return new ProviderError('invalid_credentials'",
    failure: 'a model without permission',
    notOf: [CHECKS_SIGN_IN],
  },
  {
    description: 'revoked credentials are mistaken for an unreadable response',
    text: "if (status === 401) return new ProviderError('invalid_credentials'",
    replacement: "if (status === 401) return new ProviderError('malformed'",
    failure: 'revoked credentials',
  },
]

/** Mutants of the rules for response statuses, once for each adapter with sync tests. */
export const statusRuleMutants: readonly Mutant[] = subjects
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
        file: HTTP_RESPONSE,
        killedBy: failureTests(provider, failure),
      })),
  )
