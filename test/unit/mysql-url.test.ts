import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseMysqlUrl } from '../../src/platform/config/mysql-url.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'odograph-mysql-url-'))
  for (const name of ['ca', 'cert', 'key']) writeFileSync(join(folder, name), `${name} as PEM`)
})
afterAll(() => rmSync(folder, { recursive: true }))

test('a URL without parameters describes a server without TLS', () => {
  expect(parseMysqlUrl('mysql://fleet%40ops:p%2Fw@db.example/odograph')).toEqual([
    {
      host: 'db.example',
      port: 3306,
      user: 'fleet@ops',
      password: 'p/w',
      database: 'odograph',
      socketPath: undefined,
      tls: null,
    },
  ])
})

test('several hosts are the nodes of a cluster, with the same parameters', () => {
  const nodes = parseMysqlUrl('mysql://root@one:1,two,[::1]:3/odograph?ssl-mode=REQUIRED')

  expect(nodes.map(({ host, port, tls }) => [host, port, tls?.rejectUnauthorized])).toEqual([
    ['one', 1, false],
    ['two', 3306, false],
    ['::1', 3, false],
  ])
})

test('a socket replaces the host', () => {
  expect(
    parseMysqlUrl('mysql://root@localhost/odograph?socketPath=/run/mysqld/mysqld.sock')[0],
  ).toMatchObject({
    socketPath: '/run/mysqld/mysqld.sock',
  })
})

test.each([
  ['ssl-mode=DISABLED', null],
  ['ssl-mode=required', { rejectUnauthorized: false, verifyIdentity: false }],
  ['ssl-mode=VERIFY_CA', { rejectUnauthorized: true, verifyIdentity: false }],
  ['ssl-mode=VERIFY_IDENTITY', { rejectUnauthorized: true, verifyIdentity: true }],
  ['ssl=true', { rejectUnauthorized: true, verifyIdentity: true }],
  ['ssl=false', null],
  ['ssl={"rejectUnauthorized":true}', { rejectUnauthorized: true, verifyIdentity: true }],
  ['ssl=%7B%22rejectUnauthorized%22%3Afalse%7D', { rejectUnauthorized: false, verifyIdentity: false }],
  ['ssl-ca=FOLDER/ca', { rejectUnauthorized: true, verifyIdentity: false, ca: 'ca as PEM' }],
  [
    'ssl-mode=REQUIRED&ssl-ca=FOLDER/ca',
    { rejectUnauthorized: true, verifyIdentity: false, ca: 'ca as PEM' },
  ],
  [
    'ssl=true&ssl-ca=FOLDER/ca&ssl-cert=FOLDER/cert&ssl-key=FOLDER/key',
    {
      rejectUnauthorized: true,
      verifyIdentity: true,
      ca: 'ca as PEM',
      cert: 'cert as PEM',
      key: 'key as PEM',
    },
  ],
])('%s', (parameters, tls) => {
  const url = `mysql://root@db.example/odograph?${parameters.replaceAll('FOLDER', folder)}`

  expect(parseMysqlUrl(url)[0].tls).toEqual(tls)
})

test.each([
  ['postgres://root@db/odograph', 'must be a URL that starts with mysql://'],
  ['nowhere', 'must be a URL that starts with mysql://'],
  [
    'mysql://root@db/x?sslmode=require',
    'the parameter sslmode is unknown; the parameters are ssl-mode, ssl-ca',
  ],
  ['mysql://root@db/x?connectTimeout=5', 'the parameter connectTimeout is unknown'],
  [
    'mysql://root@db/x?ssl-mode=PREFERRED',
    'ssl-mode must be one of DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY',
  ],
  ['mysql://root@db/x?ssl-mode=REQUIRED&ssl=true', 'give ssl-mode or ssl, not both'],
  ['mysql://root@db/x?ssl=Amazon%20RDS', 'ssl must be true, false or {"rejectUnauthorized":true}'],
  ['mysql://root@db/x?ssl={"ca":"x"}', 'ssl must be true, false or {"rejectUnauthorized":true}'],
  ['mysql://root@10.0.0.5/x?ssl=true', 'VERIFY_IDENTITY needs the name of the host, not 10.0.0.5'],
  ['mysql://root@db/x?ssl-ca=/nowhere/ca.pem', 'ssl-ca: cannot read /nowhere/ca.pem (ENOENT)'],
  ['mysql://root@one,two/x?socketPath=/run/mysqld.sock', 'socketPath names one server, so give one host'],
  ['mysql://root@db/x?ssl-mode=DISABLED&ssl-mode=REQUIRED', 'give the parameter ssl-mode once'],
  ['mysql://root@db/x?socketPath=', 'the parameter socketPath has no value'],
  ['mysql://root@db/x?ssl-ca=', 'the parameter ssl-ca has no value'],
  ['mysql://root@db/x?ssl-mode=DISABLED&ssl-ca=FOLDER/ca', 'ssl-ca has no effect without encryption'],
  ['mysql://root@db/x?ssl=false&ssl-ca=FOLDER/ca', 'ssl-ca has no effect without encryption'],
  [
    'mysql://root@db/x?ssl-cert=FOLDER/cert&ssl-key=FOLDER/key',
    'ssl-cert has no effect without encryption; add ssl-mode=VERIFY_IDENTITY',
  ],
  ['mysql://root@db/x?ssl-mode=REQUIRED&ssl-cert=FOLDER/cert', 'give both ssl-cert and ssl-key'],
  ['mysql://root@db/x?ssl-mode=REQUIRED&ssl-key=FOLDER/key', 'give both ssl-cert and ssl-key'],
])('%s is refused', (url, message) => {
  expect(() => parseMysqlUrl(url.replaceAll('FOLDER', folder))).toThrow(message)
})

test('the path of a file may contain an @', () => {
  expect(() => parseMysqlUrl('mysql://db/x?ssl-ca=/nowhere/a@b.pem')).toThrow(
    'ssl-ca: cannot read /nowhere/a@b.pem (ENOENT)',
  )
  expect(parseMysqlUrl('mysql://root:pw@db/x?socketPath=/run/@mysqld')[0]).toMatchObject({
    password: 'pw',
    socketPath: '/run/@mysqld',
  })
})

const ENCODE = 'the user or the password contains / ? # or @, which must be written as %2F, %3F, %23 and %40'

test.each([
  ['mysql://root:hidden@db/x?sslmode=hidden', 'the parameter sslmode is unknown'],
  ['mysql://root:hid%den@db/x', 'a % in the user, the password or the path must be written as %25'],
  ['mysql://root:hidden%@db/x', 'a % in the user, the password or the path must be written as %25'],
  ['mysql://root:12/hidden@db/x', ENCODE],
  ['mysql://root:hidden/12@db/x', ENCODE],
  ['mysql://root:1?hidden@db/x', ENCODE],
  ['mysql://root:1?hidden=2@db/x', ENCODE],
  ['mysql://root:1#hidden@db/x', ENCODE],
  ['mysql://root:1@hidden@db/x', ENCODE],
  ['mysql://root:1@hidden,2@db,other/x', ENCODE],
  ['mysql://root:hidden@db/x#1', 'must not have a fragment (#)'],
])('%s is refused, and the error has no password', (url, message) => {
  expect(() => parseMysqlUrl(url)).toThrow(message)
  expect(() => parseMysqlUrl(url)).not.toThrow(/hid|den/)
})
