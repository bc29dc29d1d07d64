import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { withRunner } from '../../../src/storage/migrate.ts'
import { diagnose } from '../../../src/cli/commands/doctor.ts'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { certificateFor } from '../../support/outbound-http/certificate.ts'
import { stores } from '../../support/database/stores.ts'

const DAY = 86_400_000
const CIPHER = "SHOW STATUS LIKE 'Ssl_cipher'"
const encrypted = [{ Variable_name: 'Ssl_cipher', Value: expect.stringMatching(/^TLS_/) as string }]

describe.skipIf(!stores.includes('mariadb'))('connections to MariaDB', () => {
  let server: KillableMariadb
  let other: KillableMariadb

  beforeAll(async () => {
    server = await startWithCertificate('localhost')
    other = await startWithCertificate('elsewhere.example')
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    await other?.[Symbol.asyncDispose]()
  })

  test('are clear text without a parameter', async () => {
    expect(await cipherOf(urlOf(server))).toBe('')
  })

  test.each([
    ['ssl-mode=REQUIRED'],
    ['ssl={"rejectUnauthorized":false}'],
    ['ssl-ca=FILE'],
    ['ssl-mode=VERIFY_CA&ssl-ca=FILE'],
    ['ssl-mode=VERIFY_IDENTITY&ssl-ca=FILE'],
    ['ssl=true&ssl-ca=FILE'],
  ])('are encrypted with %s, for the pool, a replica and migrations', async (parameters) => {
    const url = urlOf(server, parameters)

    expect(await cipherOf(url)).toMatch(/^TLS_/)
    await using db = await open(url, [url])
    expect(await db.forReading().rows(CIPHER)).toEqual(encrypted)
    const rows = await withRunner({ mysqlUrl: url, sqlitePath: '' }, (runner) => runner.query(CIPHER))
    expect(rows).toEqual(encrypted)
  })

  test.each([
    ['an authority that is not trusted', () => urlOf(server, 'ssl=true'), /self-signed/],
    [
      'the certificate of another authority',
      () => urlOf(other, `ssl-ca=${server.folder}/cert.pem`),
      /self-signed|certificate/,
    ],
    [
      'a certificate for another host',
      () => urlOf(other, `ssl-mode=VERIFY_IDENTITY&ssl-ca=${other.folder}/cert.pem`),
      /Hostname\/IP does not match/,
    ],
  ])('are refused for %s', async (_, url, message) => {
    await expect(open(url())).rejects.toThrow(message)
  })

  test('are refused by a node of a cluster whose certificate is for another host', async () => {
    writeFileSync(`${server.folder}/both.pem`, [server, other].map(certificateOf).join('\n'))
    const parameters = `ssl-mode=VERIFY_IDENTITY&ssl-ca=${server.folder}/both.pem`
    const hosts = `localhost:${other.port},localhost:${server.port}`

    expect(await cipherOf(`mysql://root@${hosts}/odograph?${parameters}`)).toMatch(/^TLS_/)
    await expect(
      open(`mysql://root@localhost:${other.port},localhost:${other.port}/odograph?${parameters}`),
    ).rejects.toThrow(/Hostname\/IP does not match/)
  })

  test.each([[''], ['?ssl-mode=REQUIRED']])(
    'stay on the same node of a cluster after one is lost, with %j',
    async (parameters) => {
      const hosts = `localhost:${server.port},localhost:${other.port}`
      await using db = await open(`mysql://root@${hosts}/odograph${parameters}`)
      for (let round = 0; round < 3; round++) {
        const [row] = await db.rows<{ id: number; port: number }>(
          'SELECT CONNECTION_ID() AS `id`, @@port AS `port`',
        )
        expect(row?.port).toBe(server.port)
        await server.query(`KILL ${row?.id}`)
      }
      expect(await db.rows('SELECT @@port AS `port`')).toEqual([{ port: server.port }])
    },
  )

  test('are refused if TLS is required and the server does not support it', async () => {
    await using plain = await KillableMariadb.start()
    await plain.query('CREATE DATABASE odograph')

    await expect(open(urlOf(plain, 'ssl-mode=REQUIRED'))).rejects.toThrow(/does not support secure/)
  })

  test('can use a socket', async () => {
    const url = `mysql://root@localhost:1/odograph?socketPath=${server.folder}/socket`

    await using db = await open(url)
    expect(await db.rows('SELECT @@port AS `port`')).toEqual([{ port: server.port }])
    const rows = await withRunner({ mysqlUrl: url, sqlitePath: '' }, (runner) =>
      runner.query('SELECT @@port AS `port`'),
    )
    expect(rows).toEqual([{ port: server.port }])
  })

  test.each([
    ['', 'ok', 'none needed on this host'],
    ['ssl-mode=REQUIRED', 'ok', 'none needed on this host'],
    ['ssl-ca=FILE', 'ok', 'TLS, certificate checked'],
    ['ssl=true&ssl-ca=FILE', 'ok', 'TLS, host name checked'],
  ])('are reported by the doctor, with %j', async (parameters, state, found) => {
    const findings = await diagnose({}, { MYSQL_URL: urlOf(server, parameters) })

    expect(findings.find(({ check }) => check === 'encryption')).toMatchObject({ state, found })
  })
})

const urlOf = ({ port, folder }: KillableMariadb, parameters = '') =>
  `mysql://root@localhost:${port}/odograph?${parameters.replace('FILE', `${folder}/cert.pem`)}`

async function cipherOf(url: string): Promise<string> {
  await using db = await open(url)
  const [row] = await db.rows<{ Value: string }>(CIPHER)
  return String(row?.Value)
}

async function open(mysqlUrl: string, replicaUrls: readonly string[] = []) {
  const db = await openDatabase({ mysqlUrl, replicaUrls, sqlitePath: '', poolSize: 2 })
  return Object.assign(db, { [Symbol.asyncDispose]: () => db.close() })
}

async function startWithCertificate(name: string): Promise<KillableMariadb> {
  const server = await KillableMariadb.prepare()
  const from = new Date(Date.now() - DAY)
  const { cert, key } = certificateFor({ name, from, until: new Date(Date.now() + DAY) })
  writeFileSync(`${server.folder}/cert.pem`, cert)
  writeFileSync(`${server.folder}/key.pem`, key)
  await server.start([`--ssl-cert=${server.folder}/cert.pem`, `--ssl-key=${server.folder}/key.pem`])
  await server.query('CREATE DATABASE odograph')
  return server
}

const certificateOf = ({ folder }: KillableMariadb) => readFileSync(`${folder}/cert.pem`, 'utf8')
