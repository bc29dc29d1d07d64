import type { ServiceLife, Linked } from './service-life.ts'

const UNSENDABLE = 'planted-key-with\na-line-break-in-it'

/** Uses connections as an integrator does, with valid and invalid requests. */
export async function useEverything(life: ServiceLife, whole: readonly Linked[]): Promise<void> {
  await openSessions(life, whole)
  await linkByItself(life)
  for (const linked of whole) await passThrough(life, linked)
  await askWrongly(life, whole)
  await life.inbox.arrived(3)
}

/** Subscribes the receiver to all events, signed with one secret and then with another. */
export async function subscribeWebhooks(life: ServiceLife): Promise<void> {
  const password = life.seed('planted-pass-of-a-receiver', 'header')
  const made = await life.mutate(
    'createWebhookEndpoint',
    {
      url: life.inbox.url.replace('//', `//fleet:${password}@`),
      headers: [{ name: 'x-api-key', value: life.seed('planted-key/+=of-a-gateway', 'header') }],
    },
    'secret endpoint { id }',
    {},
    true,
  )
  life.seed(made.payload.secret, 'signing secret')
  const { id: endpointId } = made.payload.endpoint
  const rotated = await life.mutate('rotateWebhookSecret', { endpointId }, 'secret', {}, true)
  life.seed(rotated.payload.secret, 'signing secret')
  await life.mutate('sendTestEvent', { endpointId, type: 'connection.created' }, 'delivery { id }')
}

async function openSessions(life: ServiceLife, whole: readonly Linked[]): Promise<void> {
  const connectionIds = whole.map(({ id }) => id)
  const { payload } = await life.mutate('createSession', { connectionIds }, 'token session { id }', {}, true)
  const token = life.seed(payload.token, 'session token')
  const authorization = `Bearer ${token}`
  await life.graphql('{ vehicles { nodes { id name raw { data } } } }', {}, { authorization })
  await life.graphql('{ connections { nodes { id token } } }', {}, { authorization })
  await life.mutate('revokeSession', { sessionId: payload.session.id }, 'session { id }')
  await life.graphql('{ connections { nodes { id } } }', {}, { authorization })
}

/** Links without the link pages, with refused credentials and with malformed ones. */
async function linkByItself(life: ServiceLife): Promise<void> {
  const { provider } = life
  life.seed(UNSENDABLE, 'a key with a line break')
  const refused = provider.addKey('planted-key/+=of-a-fleet-that-was-thrown-out', 'sandbox-3-9')
  for (const behaviour of ['refuses', 'forbids', 'sends_no_json', 'garbles'] as const) {
    provider.setBehaviour('sandbox-3-9', behaviour)
    await life.mutate(
      'createConnection',
      { provider: 'sandbox', credentials: { apiKey: refused } },
      'connection { id }',
    )
    await life.rest('POST', '/connections', {}, { provider: 'sandbox', credentials: { apiKey: refused } })
  }
  for (const credentials of [{ apiKey: UNSENDABLE }, [refused], refused, { apiKey: { refused } }])
    await life.mutate('createConnection', { provider: 'sandbox', credentials }, 'connection { id }')
}

async function passThrough(life: ServiceLife, { id, token }: Linked): Promise<void> {
  for (const path of ['/vehicles', '/nothing?of=it', '/account'])
    for (const method of ['GET', 'POST'])
      await life.mutate(
        'passthrough',
        { method, path, ...(method === 'POST' ? { body: '{}' } : {}) },
        'response { statusCode headers response bodyBase64 }',
        { 'connection-token': token },
      )
  expectLinked(id)
}

const expectLinked = (id: string): void => {
  if (!id.startsWith('conn_')) throw new Error(`${id} is not a connection`)
}

/** Sends secrets in wrong places: only the caller may receive them back. */
async function askWrongly(life: ServiceLife, whole: readonly Linked[]): Promise<void> {
  const { secretKey } = life.application
  for (const { id, token } of whole) {
    await life.graphql(
      `query ($after: String) { vehicles(after: $after) { nodes { id } } }`,
      { after: token },
      {},
      true,
    )
    await life.graphql(`{ ${token} }`, {}, {}, true)
    await life.graphql('{ vehicles { nodes { id } } }', {}, { authorization: `Bearer ${token}` })
    await life.rest('GET', '/vehicles', { 'connection-token': secretKey })
    await life.rest('GET', `/connections/${id}`, { 'connection-token': token })
    await life.rest('GET', '/vehicles?expand=groups,devices&raw=true', { 'connection-token': token })
    await life.rest('GET', '/issues', { 'connection-token': token })
  }
  await life.graphql('{ issues { nodes { id error { message } } } syncs { nodes { id failureReason } } }')
  await life.graphql('{ auditLog { nodes { action targetId detail } } }')
  await life.graphql(
    '{ webhookEndpoints { nodes { id url headers { name maskedValue } deliveries { nodes { attempts { request { body } } } } } } }',
    {},
    {},
    true,
  )
  await life.graphql('{ vehicles { nodes { id name raw { data } } } drivers { nodes { id raw { data } } } }')
}
