/** Endpoint operations of API callers. */

export interface Api {
  create(input: Readonly<Record<string, unknown>>): Promise<{ id: string; secret: string }>
  /** Reads the delivery log of an endpoint's newest deliveries. */
  read(id: string): Promise<Deliveries>
}

export interface Deliveries {
  readonly status: string
  readonly backlog: number
  /** One line per attempt: delivery status, outcome and error. */
  readonly lines: readonly string[]
}

const CREATE = `mutation Create($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { endpoint { id } secret }
}`

const READ = `query Read($id: ID!) {
  webhookEndpoint(id: $id) {
    status
    backlog
    deliveries(first: 100) {
      nodes { status attempts { outcome error response { statusCode headers body } } }
    }
  }
}`

interface Created {
  readonly createWebhookEndpoint: { readonly endpoint: { readonly id: string }; readonly secret: string }
}

interface Attempt {
  readonly outcome: string
  readonly error: string | null
  readonly response: {
    readonly statusCode: number
    readonly headers: Readonly<Record<string, string>> | null
    readonly body: string | null
  } | null
}

interface Found {
  readonly webhookEndpoint: {
    readonly status: string
    readonly backlog: number
    readonly deliveries: {
      readonly nodes: readonly { readonly status: string; readonly attempts: readonly Attempt[] }[]
    }
  }
}

export function webhooksApi(graphqlUrl: string, secretKey: string): Api {
  async function ask<Data>(query: string, variables: Readonly<Record<string, unknown>>): Promise<Data> {
    const response = await fetch(graphqlUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
    return data
  }
  return {
    async create(input) {
      const { createWebhookEndpoint: made } = await ask<Created>(CREATE, { input })
      return { id: made.endpoint.id, secret: made.secret }
    },
    async read(id) {
      const { status, backlog, deliveries } = (await ask<Found>(READ, { id })).webhookEndpoint
      const lines = deliveries.nodes.flatMap((delivery) =>
        delivery.attempts.map((attempt) => `${delivery.status} ${attempt.outcome} ${responseText(attempt)}`),
      )
      return { status, backlog, lines }
    },
  }
}

function responseText({ error, response }: Attempt): string {
  if (!response) return String(error)
  const { statusCode, headers, body } = response
  const location = headers?.['location']
  return `${statusCode}${location ? ` to ${location}` : ''}${body ? `, body of ${body.length}` : ''}`
}
