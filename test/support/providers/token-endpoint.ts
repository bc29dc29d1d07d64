import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ProviderCredentials } from '../../../src/providers/provider.ts'

/** What happens to the answer of a rotated refresh token. */
export type AnswerFate = 'arrives' | 'is lost'

const HOUR_SECONDS = 3600

/**
 * Token endpoint of a provider that rotates refresh tokens strictly: it accepts each of them once, without a
 * grace period (RFC 9700, 4.14.2).
 */
export class TokenEndpoint {
  /** Called after each rotation, before its answer. */
  onRotated: (fleet: string) => Promise<AnswerFate> = () => Promise.resolve('arrives')
  /** Called at each refusal of a refresh token, before its answer. */
  onRefused: (fleet: string) => unknown = () => undefined
  private readonly rotations = new Map<string, number>()
  private readonly outcomes: string[] = []

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TokenEndpoint> {
    const server = createServer((request, response) => void endpoint.answer(request, response))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const endpoint = new TokenEndpoint(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    )
    return endpoint
  }

  /** Grants the first tokens of a fleet. Their access token has ended. */
  grant(fleet: string): ProviderCredentials {
    this.rotations.set(fleet, 0)
    return {
      accessToken: `access ${fleet} 0`,
      refreshToken: `${fleet} 0`,
      expiresAt: '2020-01-01T00:00:00.000Z',
    }
  }

  /** Answers as a sound provider again. */
  behave(): void {
    this.onRotated = () => Promise.resolve('arrives')
    this.onRefused = () => undefined
  }

  revoke(fleet: string): void {
    this.rotations.delete(fleet)
  }

  /** The one refresh token that the endpoint accepts. */
  accepted(fleet: string): string {
    return `${fleet} ${this.rotations.get(fleet)}`
  }

  /** Outcomes of the requests of a fleet, in their order. */
  outcomesOf(fleet: string): string[] {
    return this.outcomes
      .filter((outcome) => outcome.startsWith(`${fleet} `))
      .map((text) => text.slice(fleet.length + 1))
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const presented = new URLSearchParams(Buffer.concat(chunks).toString()).get('refresh_token') ?? ''
    const fleet = presented.split(' ', 1)[0] ?? ''
    const rotation = this.rotations.get(fleet)
    if (rotation === undefined || presented !== this.accepted(fleet)) {
      this.outcomes.push(`${fleet} refused`)
      this.onRefused(fleet)
      return void response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":"invalid_grant"}')
    }
    this.rotations.set(fleet, rotation + 1)
    this.outcomes.push(`${fleet} rotated`)
    const tokens = {
      access_token: `access ${this.accepted(fleet)}`,
      refresh_token: this.accepted(fleet),
      expires_in: HOUR_SECONDS,
    }
    if ((await this.onRotated(fleet)) === 'is lost') return void request.socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((closed) => this.server.close(closed))
  }
}
