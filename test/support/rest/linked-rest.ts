import type { Id } from '../../../src/domain/ids.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'
import { startSimulator } from '../../../src/providers/sandbox/simulator/server.ts'
import { createApplication } from '../../../src/subgraphs/connections/applications/create-application.ts'
import type { ApiClient } from '../factories.ts'
import { type RestHarness, startRest } from './rest-harness.ts'

/** The REST layer with a simulated provider that responds, for writes and for on-demand reads. */
export interface LinkedRest extends AsyncDisposable {
  readonly rest: RestHarness
  /** The application's secret key alone. */
  readonly owner: ApiClient
  /** Returns the minimal body of POST /connections, with a new account each time. */
  input(): { readonly provider: string; readonly credentials: { readonly apiKey: string } }
  /** Links an account. Returns the response, and the clients of the connection. */
  link(more?: object): Promise<Linked>
}

export interface Linked {
  // oxlint-disable-next-line typescript/no-explicit-any -- a body is any JSON
  readonly body: any
  readonly client: ApiClient
}

export async function startLinkedRest(): Promise<LinkedRest> {
  const simulator = await startSimulator({ ratePerSecond: 10_000 })
  const rest = await startRest({ providers: [sandboxAdapter(`http://127.0.0.1:${simulator.port}`)] })
  const { application, secretKey } = await createApplication(rest.db, {
    name: 'Test',
    environment: 'sandbox',
    now: Date.now(),
  })
  const owner: ApiClient = { applicationId: application.id, connectionId: null, secretKey, token: null }
  let accounts = 0
  const input = () => ({ provider: 'sandbox', credentials: { apiKey: `sandbox-3-${++accounts}` } })
  return {
    rest,
    owner,
    input,
    async link(more = {}) {
      const { status, body } = await rest.write('POST', '/connections', owner, { ...input(), ...more })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return { body, client: { ...owner, connectionId: body.id as Id<'connection'>, token: body.token } }
    },
    async [Symbol.asyncDispose]() {
      await rest[Symbol.asyncDispose]()
      await simulator.close()
    },
  }
}
