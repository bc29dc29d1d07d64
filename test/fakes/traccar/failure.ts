import type { Answer } from '../kit/http.ts'

/** Exception of the server, which answers 400 with a stack trace. */
export class JavaException extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message)
  }
}

const trace = (type: string, message: string): string =>
  [
    `${message} - ${type} (... < BaseObjectResource:105 < *:-1)`,
    '\tat org.traccar.api.BaseResource.getUserId(BaseResource.java:41)',
    '\tat org.traccar.api.ResourceErrorHandler.toResponse(ResourceErrorHandler.java:30)',
    '\tat org.glassfish.jersey.server.ServerRuntime$1.run(ServerRuntime.java:255)',
    '',
  ].join('\n')

export const failed = ({ type, message }: JavaException): Answer => ({
  status: 400,
  body: trace(type, message),
})

export const refused = (status: number, hasTrace: boolean): Answer => ({
  status,
  ...(hasTrace ? { body: trace('WebApplicationException', `HTTP ${status}`) } : {}),
})
