import { may, type Part } from './part.ts'

/** Errors, decisions where sources disagree, and quirks of real clients. */
export const decided: readonly Part[] = [
  {
    part: 'g6',
    title: 'Errors',
    statements: {
      body: 'An error is {code, message, detail?} in JSON, with the code of its status',
      'bad-parameter': 'An invalid parameter gets status 400 with its path in `detail`',
      'bad-body': 'An invalid body gets status 400 with the path of its member',
      'unknown-path': 'An unknown path gets status 404',
      'unknown-id': 'An unknown id gets status 404',
      'detail-is-text': '`detail` is a sentence, except with status 400 and 422',
      'wrong-method': 'An unsupported method is refused, never with 5xx',
    },
  },
  {
    part: 'd2',
    title: 'Read support',
    statements: {
      'read-support': 'Support is supported, not_supported_by_provider or not_supported_by_terminal',
    },
  },
  {
    part: 'd3',
    title: 'Incremental reads',
    statements: {
      'after-inclusive':
        '`modifiedAfter` is inclusive: a reader that resumes at its newest time misses nothing',
      'before-exclusive': '`modifiedBefore` is exclusive, so that adjacent windows do not overlap',
    },
  },
  {
    part: 'd4',
    title: 'Page size',
    statements: {
      clamped: 'A limit above the maximum is clamped',
      'below-one': 'A limit below 1, or one that is no integer, gets status 400',
      'default-and-maximum': 'A page holds 100 by default and 1,000 at most; of series 500 and 10,000',
      'empty-is-absent': 'An empty query value counts as absent',
    },
  },
  {
    part: 'd5',
    title: 'Unknown parameters',
    statements: {
      'unknown-parameter': 'An unknown query parameter gets status 400 with the nearest name suggested',
      'unknown-member': 'An unknown member of a body gets status 400 with the nearest name suggested',
      'unknown-header': 'Unknown headers are ignored',
      'tags-alias': '`tags` is taken as `tag`',
      'days-alias': '`startDay` and `endDay` are aliases of `startDate` and `endDate`',
    },
  },
  {
    part: 'd6',
    title: '401 and 403',
    statements: {
      'no-key': 'A missing, malformed or unknown secret key gets status 401',
      'wrong-kind-of-key':
        'A connection token or publishable key instead of it gets status 401, and the detail names the mistake',
      'bad-token': 'A missing, malformed or unknown connection token gets status 403',
    },
  },
  {
    part: 'd7',
    title: 'Expanded records',
    statements: {
      'full-model': 'An expanded record equals the one in its own list, without raw',
      'never-raw': 'An expanded record has no raw, also when raw=true',
    },
  },
  {
    part: 'd8',
    title: 'Archived and disconnected connections',
    statements: {
      'stored-served': 'Data that is stored is served',
      'live-refused': 'Live reads get status 422',
      'sync-refused': 'Requests for a sync get status 422',
      'disconnected-code': 'The error code of a disconnected connection is connection_disconnected',
    },
  },
  {
    part: 'a40',
    title: 'Provider without a key',
    statements: {
      'without-key': may('GET /providers works without a key, and validates a key that is sent'),
    },
  },
  {
    part: 'c1',
    title: 'The command-line client',
    statements: {
      'content-type-without-body': 'Content-Type: application/json without a body is accepted',
    },
  },
  {
    part: 'c2',
    title: 'Base URLs that end in a slash',
    statements: { 'double-slashes': 'Double slashes in a path count as one' },
  },
  {
    part: 'c3',
    title: 'Generated clients',
    statements: {
      'unknown-headers': 'X-Application-Id and other unknown headers are ignored',
      'empty-values': 'Parameters with empty values count as absent',
    },
  },
  {
    part: 'c4',
    title: 'Clients that parse errors and pages',
    statements: {
      'message-is-text': '`message` is always a string',
      'next-absent': 'The last page has no `next`, neither null nor empty',
      'cursor-moves': 'No cursor is repeated while paging',
    },
  },
]
