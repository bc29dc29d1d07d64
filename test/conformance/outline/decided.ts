import { may, type Part } from './part.ts'

/** Errors, the decisions where sources disagree, and the quirks of clients in use. */
export const decided: readonly Part[] = [
  {
    part: 'g6',
    title: 'Errors',
    statements: {
      body: 'An error is {code, message, detail?} in JSON, with the code of its status',
      'bad-parameter': 'A parameter that cannot be read is answered 400, and named in `detail` by its path',
      'bad-body': 'A body that cannot be read is answered 400, and its member named',
      'unknown-path': 'A path that does not exist is answered 404',
      'unknown-id': 'An id that does not exist is answered 404',
      'detail-is-text': '`detail` is a sentence where the status is neither 400 nor 422',
      'wrong-method': 'A method that a path does not take is refused, never with 5xx',
    },
  },
  {
    part: 'd2',
    title: 'Read support',
    statements: {
      'read-support': 'Support is supported, not_supported_by_provider or not_supported',
    },
  },
  {
    part: 'd3',
    title: 'Incremental reads',
    statements: {
      'after-inclusive':
        '`modifiedAfter` includes its moment: whoever starts from the newest seen misses nothing',
      'before-exclusive': '`modifiedBefore` leaves its moment out, so that windows meet without overlap',
    },
  },
  {
    part: 'd4',
    title: 'Page size',
    statements: {
      clamped: 'A limit above the maximum is clamped',
      'below-one': 'A limit below 1, or that is no integer, is 400',
      'default-and-maximum': 'A page holds 100 unless told and 1,000 at most; of series 500 and 10,000',
      'empty-is-absent': 'An empty query value counts as absent',
    },
  },
  {
    part: 'd5',
    title: 'Unknown parameters',
    statements: {
      'unknown-parameter': 'An unknown query parameter is 400 with the nearest one suggested',
      'unknown-member': 'An unknown member of a body is 400 with the nearest one suggested',
      'unknown-header': 'Unknown headers are ignored',
      'tags-alias': '`tags` is taken as `tag`',
      'days-alias': '`startDay` and `endDay` are taken as `startDate` and `endDate`',
    },
  },
  {
    part: 'd6',
    title: '401 and 403',
    statements: {
      'no-key': 'No, a malformed or an unknown secret key is 401',
      'wrong-kind-of-key':
        'A connection token or publishable key in its place is 401, and the detail says so',
      'bad-token': 'A connection token that is missing, malformed or unknown is 403',
    },
  },
  {
    part: 'd7',
    title: 'Expanded records',
    statements: {
      'full-model': 'An expanded record is the one that its own list gives, without raw',
      'never-raw': 'An expanded record has no raw, also when raw=true',
    },
  },
  {
    part: 'd8',
    title: 'Archived and disconnected connections',
    statements: {
      'stored-served': 'Data that is stored is served',
      'live-refused': 'Live reads are answered 422',
      'sync-refused': 'Requests for a sync are answered 422',
      'disconnected-code': 'On a disconnected connection the code is connection_disconnected',
    },
  },
  {
    part: 'a40',
    title: 'Provider without a key',
    statements: {
      'without-key': may('GET /providers answers without a key, and checks one that is sent'),
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
    title: 'Base addresses that end in a slash',
    statements: { 'double-slashes': 'Double slashes in a path are taken as one' },
  },
  {
    part: 'c3',
    title: 'Generated clients',
    statements: {
      'unknown-headers': 'X-Application-Id and other unknown headers do no harm',
      'empty-values': 'Parameters with empty values count as absent',
    },
  },
  {
    part: 'c4',
    title: 'Readers of errors and pages',
    statements: {
      'message-is-text': '`message` is always a string',
      'next-absent': 'The last page has no `next`, neither null nor empty',
      'cursor-moves': 'No cursor is repeated while paging',
    },
  },
]
