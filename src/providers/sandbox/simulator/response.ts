/** A response that sets its status, type and headers. Any other result of a handler is sent as JSON with 200. */
export class SimulatorResponse {
  readonly status: number
  readonly type: string
  readonly body: Buffer
  readonly headers: Record<string, string>

  constructor(status: number, type: string, body: Buffer, headers: Record<string, string> = {}) {
    this.status = status
    this.type = type
    this.body = body
    this.headers = headers
  }
}

export const json = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): SimulatorResponse =>
  new SimulatorResponse(status, 'application/json', Buffer.from(JSON.stringify(body)), headers)

export const html = (status: number, page: string, headers: Record<string, string> = {}): SimulatorResponse =>
  new SimulatorResponse(status, 'text/html; charset=utf-8', Buffer.from(page), headers)

/** Redirects a browser with status 303, so that the next request is a GET even after a POST. */
export const redirect = (to: string): SimulatorResponse =>
  new SimulatorResponse(303, 'text/plain', Buffer.alloc(0), { Location: to })
