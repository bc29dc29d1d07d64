/** Time after which a request counts as hung. Everything that it waits for has a shorter limit. */
const HANG_MS = 60_000

/** A purchase as it is sent. Each repetition has the same input. */
export interface SentPurchase {
  readonly kind: 'check' | 'capture'
  readonly key: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The answer to one attempt. */
export type Outcome =
  | {
      readonly kind: 'answered'
      readonly id: string
      readonly decision: string
      readonly replayed: boolean
      readonly recorded: boolean
    }
  /** A documented failure of the service. */
  | { readonly kind: 'refused'; readonly code: string }
  /** The connection was refused or lost, because the process was killed. */
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'hung' }
  | { readonly kind: 'undocumented'; readonly text: string }

/** Documented answers while the database or a process is away. */
const REFUSALS = new Map([
  [502, 'BAD_GATEWAY'],
  [503, 'SERVICE_UNAVAILABLE'],
  [504, 'GATEWAY_TIMEOUT'],
])

const payload = '{ check { id decision vehicle { id } } replayed recorded }'

const apis = {
  check: {
    path: '/purchase-checks',
    query: `mutation ($input: CheckPurchaseInput!) { checked: checkPurchase(input: $input) ${payload} }`,
  },
  capture: {
    path: '/purchase-captures',
    query: `mutation ($input: CaptureForCheckInput!) { checked: captureForCheck(input: $input) ${payload} }`,
  },
} as const

interface Via {
  readonly url: string
  readonly api: 'graphql' | 'rest'
  readonly secretKey: string
}

/** Sends a purchase once. */
export async function sendPurchase({ url, api, secretKey }: Via, sent: SentPurchase): Promise<Outcome> {
  const input = { idempotencyKey: sent.key, ...sent.input }
  const { path, query } = apis[sent.kind]
  const isRest = api === 'rest'
  let status: number
  let headers: Headers
  let text: string
  try {
    const response = await fetch(isRest ? `${url}/tsp/v1${path}` : `${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(isRest ? withRestEnums(input) : { query, variables: { input } }),
      signal: AbortSignal.timeout(HANG_MS),
    })
    ;({ status, headers } = response)
    text = await response.text()
  } catch (error) {
    return { kind: (error as Error).name === 'TimeoutError' ? 'hung' : 'disconnected' }
  }
  try {
    const body = JSON.parse(text) as object
    const outcome = isRest ? fromRest(status, headers, body) : fromGraphql(status, body)
    if (outcome) return outcome
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return { kind: 'undocumented', text: `${api} ${sent.kind} ${status}: ${text}` }
}

/** REST has the values of enums in lower case. */
const withRestEnums = (input: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(
    JSON.stringify(input, (name, value) => (name === 'product' ? String(value).toLowerCase() : value)),
  )

interface RestBody {
  readonly id?: string
  readonly decision?: string
  readonly recorded?: boolean
  readonly code?: string
}

function fromRest(status: number, headers: Headers, body: RestBody): Outcome | null {
  const { id, decision, recorded } = body
  if (status === 201 && id && decision && recorded !== undefined)
    return answered({
      id,
      decision: decision.toUpperCase(),
      replayed: headers.get('idempotent-replayed') === 'true',
      recorded,
    })
  const code = REFUSALS.get(status)
  return code !== undefined && body.code === code.toLowerCase() ? { kind: 'refused', code } : null
}

interface GraphqlBody {
  readonly data?: { readonly checked: GraphqlPayload | null } | null
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
}

interface GraphqlPayload {
  readonly check: { readonly id: string; readonly decision: string }
  readonly replayed: boolean
  readonly recorded: boolean
}

function fromGraphql(status: number, { data, errors = [] }: GraphqlBody): Outcome | null {
  const codes = errors.map(({ extensions }) => String(extensions?.code))
  const [code] = codes
  const isDocumented = codes.every((each) => [...REFUSALS.values()].includes(each))
  if (code !== undefined) return isDocumented && !data?.checked ? { kind: 'refused', code } : null
  if (status !== 200 || !data?.checked) return null
  const { check, replayed, recorded } = data.checked
  return answered({ id: check.id, decision: check.decision, replayed, recorded })
}

/** Without a recorded check, the decision is UNKNOWN and nothing is replayed. */
const answered = (answer: Omit<Extract<Outcome, { kind: 'answered' }>, 'kind'>): Outcome | null =>
  answer.recorded || (answer.decision === 'UNKNOWN' && !answer.replayed)
    ? { kind: 'answered', ...answer }
    : null
