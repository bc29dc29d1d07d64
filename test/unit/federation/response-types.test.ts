import { expect, test } from 'vitest'
import { isEventStream, isJson } from '../../../src/gateway/remote/subgraph-client.ts'

const responseOf = (contentType: string) => new Response('', { headers: { 'content-type': contentType } })

test.each([
  ['application/json', true, false],
  ['Application/JSON;Charset=UTF-8', true, false],
  ['application/graphql-response+JSON; charset=utf-8', true, false],
  ['text/event-stream', false, true],
  ['Text/Event-Stream; charset=utf-8', false, true],
  ['text/event-streams', false, false],
  ['application/jsonp', false, false],
  ['text/html', false, false],
  ['', false, false],
])('a subgraph responds with JSON or a stream by its content type %s', (contentType, json, stream) => {
  expect([isJson(responseOf(contentType)), isEventStream(responseOf(contentType))]).toEqual([json, stream])
})
