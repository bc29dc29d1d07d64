import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { seedApplication, unknownId } from '../../support/factories.ts'
import { type CliHarness, openCliHarness, runProgram } from '../../support/harnesses/cli-harness.ts'

describe.each(stores)('sites at the command line on %s', (store) => {
  let harness: CliHarness
  let own: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
  })
  beforeEach(async () => {
    own = ['--application', (await seedApplication(harness.db, [])).id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  async function importing(csv: string | Buffer, ...options: string[]) {
    const file = join(harness.home.folder, 'sites.csv')
    await writeFile(file, csv)
    const args = ['purchases', 'sites', 'import', file, ...own, ...options]
    const { code, out, error } = await harness.cli('--json', ...args)
    return { code, error, result: out === '' ? null : (JSON.parse(out) as object) }
  }

  const listed = (...options: string[]) =>
    harness.json<{ id: string }[]>('purchases', 'sites', 'list', ...own, ...options)

  const audited = () =>
    harness.db.rows<{ action: string; actorKind: string }>(
      "SELECT `action`, `actorKind` FROM `audit_log` WHERE `applicationId` = ? AND `action` LIKE 'purchase_site%' ORDER BY `id`",
      [own[1]],
    )

  test('are imported, listed, changed and removed', async () => {
    const csv = `\uFEFFsiteId,name,longitude,"latitude",radiusMeters,postalCode,city,state,country\r
322,"Love's Travel Stop #322",-90.7817,41.6175,150,52773,Walcott,IA,US\r
"a,b",Pilot,-97.7431,30.2672,,,,,\r\n`
    expect(await importing(csv)).toEqual({
      code: 0,
      error: '',
      result: { accepted: 2, rejected: [], warnings: [] },
    })
    const loves = {
      id: expect.stringMatching(/^pst_/),
      siteId: '322',
      name: "Love's Travel Stop #322",
      longitude: -90.7817,
      latitude: 41.6175,
      radiusMeters: 150,
      postalCode: '52773',
      city: 'Walcott',
      state: 'IA',
      country: 'US',
      modifiedAt: expect.any(String),
    }
    const before = await listed()
    expect(before).toEqual([
      loves,
      expect.objectContaining({ siteId: 'a,b', radiusMeters: 100, postalCode: null }),
    ])
    expect(await listed('--limit', '1')).toEqual([loves])
    expect(await listed('--after', before[0]!.id)).toEqual(before.slice(1))
    await importing(csv)
    expect([await listed(), await audited()]).toEqual([
      before,
      [
        { action: 'purchase_site.set', actorKind: 'operator' },
        { action: 'purchase_site.set', actorKind: 'operator' },
      ],
    ])
    await importing('siteId,name,longitude,latitude\n322,Loves,-90.78,41.62\n')
    expect(await listed()).toMatchObject([
      { id: before[0]!.id, siteId: '322', name: 'Loves', radiusMeters: 100, postalCode: null },
      { siteId: 'a,b' },
    ])
    await harness.cli('purchases', 'sites', 'remove', 'a,b', ...own)
    expect(await listed()).toMatchObject([{ siteId: '322' }])
  })

  const BAD = [
    'siteId,name,longitude,latitude,radiusMeters,postalCode,country',
    '1,Station,-97.7,30.2,100,78701,US',
    ',Station,-97.7,30.2,100,78701,US',
    '3,,-97.7,30.2,100,78701,US',
    '',
    '5,Station,west,30.2,100,78701,US',
    '6,Station,-97.7,,100,78701,US',
    '7,Station,30.2,-97.7,100,78701,US',
    '8,Station,-97.7,30.2,5,78701,US',
    '9,Station,-97.7,30.2,100,2134,US',
    '10,Station,-97.7,30.2,100,78701,',
    '11,"Sta\ntion",-97.7,30.2,100,78701,USA',
    '12,Station,-97.7,30.2',
    '1,Station,-97.7,30.3,100,78701,US',
    '13,Station,-97.7,30.2,,,',
  ].join('\n')
  const FOUND = {
    accepted: 2,
    rejected: [
      { line: 3, siteId: '', reason: 'siteId: Give 1 to 255 characters.' },
      { line: 4, siteId: '3', reason: 'name: Give 1 to 255 characters.' },
      { line: 6, siteId: '5', reason: 'longitude: Give a number such as -97.7431.' },
      { line: 7, siteId: '6', reason: 'The row has no latitude.' },
      {
        line: 8,
        siteId: '7',
        reason: 'coordinates: Give a longitude from -180 to 180 and a latitude from -90 to 90.',
      },
      { line: 9, siteId: '8', reason: 'radiusMeters: Give 10 to 5000 meters.' },
      {
        line: 10,
        siteId: '9',
        reason:
          'postalCode: Give a ZIP code with five or nine digits. Spreadsheets may leave out leading zeros.',
      },
      { line: 11, siteId: '10', reason: 'country: Give the country of the postal code, such as US.' },
      { line: 13, siteId: '11', reason: 'country: Give two capital letters, such as US.' },
      { line: 14, siteId: '12', reason: 'The row has 4 fields, but there are 7 columns.' },
      { line: 15, siteId: '1', reason: 'Line 2 has the same siteId.' },
    ],
    warnings: [],
  }

  test('leave bad rows out with their line and reason, and set the others', async () => {
    expect(await importing(BAD)).toEqual({ code: 1, error: '', result: FOUND })
    expect(await listed()).toMatchObject([{ siteId: '1', latitude: 30.2 }, { siteId: '13' }])
  })

  test('are not changed by a check of the file', async () => {
    expect(await importing(BAD, '--check')).toEqual({ code: 1, error: '', result: FOUND })
    expect([await listed(), await audited()]).toEqual([[], []])
  })

  test('are set in batches, whose progress is shown', async () => {
    const rows = Array.from({ length: 2300 }, (_, at) => `site-${at},Station ${at},-97.7,30.2`)
    const { code, error, result } = await importing(
      ['siteId,name,longitude,latitude', ...rows, 'site-0,Again,-97.7,30.2'].join('\n'),
    )
    expect([code, result]).toEqual([
      1,
      {
        accepted: 2300,
        rejected: [{ line: 2302, siteId: 'site-0', reason: 'Line 2 has the same siteId.' }],
        warnings: [],
      },
    ])
    expect(error).toBe('1000 rows read\n2000 rows read\n')
    expect(await listed('--limit', '10000')).toHaveLength(2300)
    expect(await audited()).toHaveLength(2300)
  })

  test.each<[string, string, RegExp]>([
    ['an unknown column', 'siteId,name,longitude,latitude,radius\n', /unknown columns: radius\b/],
    ['a column twice', 'siteId,name,longitude,latitude,name\n', /a column twice/],
    ['a missing column', 'siteId,name,lat\n', /unknown columns: lat\b/],
    ['no coordinates', 'siteId,name\n1,Station\n', /no columns longitude, latitude/],
    [
      'an open quote',
      'siteId,name,longitude,latitude\n1,Station,-97.7,30.2\n2,"Sta,-97.7,30.2\n',
      /not valid CSV: quote not closed.*line 3/,
    ],
    ['nothing in it', '', /is empty/],
    ['only a header', 'siteId,name,longitude,latitude\n', /has no rows after its header/],
    ['semicolons', 'siteId;name;longitude;latitude\n1;A;-97,7;30,2\n', /Separate the columns with commas/],
    ['tabs', 'siteId\tname\tlongitude\tlatitude\n', /Separate the columns with commas/],
    ['a column in other case', 'SiteID,name,longitude,Lat\n', /columns: SiteID \(write siteId\), Lat\. See/],
    ['a column with other separators', 'site_id,name\n', /columns: site_id \(write siteId\)/],
  ])('are not read from a file with %s', async (_, csv, message) => {
    const { code, error } = await importing(csv)
    expect([code, error]).toEqual([1, expect.stringMatching(message)])
    expect(await listed()).toEqual([])
  })

  test.each<[string, Buffer]>([
    ['Latin-1', Buffer.from('siteId,name,longitude,latitude\n1,Caf\u00e9,-97.7,30.2\n', 'latin1')],
    ['UTF-16', Buffer.from('\uFEFFsiteId,name,longitude,latitude\n1,Caf\u00e9,-97.7,30.2\n', 'utf16le')],
  ])('are not read from a file in %s', async (_, csv) => {
    const { code, error } = await importing(csv)
    expect([code, error]).toEqual([1, expect.stringMatching(/is not UTF-8: save it as CSV UTF-8/)])
    expect(await listed()).toEqual([])
  })

  const ONE = 'siteId,name,longitude,latitude\n1,Station,-97.7,30.2\n'

  test('are imported from a pipe', async () => {
    const pipe = join(harness.home.folder, `${own[1]}.fifo`)
    execFileSync('mkfifo', [pipe])
    const [imported] = await Promise.all([
      harness.cli('purchases', 'sites', 'import', pipe, ...own),
      writeFile(pipe, ONE),
    ])
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/ACCEPTED\s+1/) })
    expect(await listed()).toMatchObject([{ siteId: '1' }])
  })

  test('are imported from standard input', async () => {
    const args = ['--data', harness.home.folder, 'purchases', 'sites', 'import', '-', ...own]
    const nothing = await runProgram(args, harness.home.environment)
    expect(nothing).toMatchObject({ code: 1, error: 'odograph: standard input is empty\n' })
    const imported = await runProgram(args, harness.home.environment, ONE)
    expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/ACCEPTED\s+1/) })
    expect(await listed()).toMatchObject([{ siteId: '1' }])
  })

  test('are in the country that capital letters name', async () => {
    const csv = 'siteId,name,longitude,latitude,country\n1,Station,-97.7,30.2,us\n'
    expect(await importing(csv)).toMatchObject({
      code: 1,
      result: { rejected: [{ siteId: '1', reason: 'country: Give two capital letters, such as US.' }] },
    })
  })

  test.each([[], ['--check']])(
    'far from their postal code are imported with a warning %s',
    async (...options) => {
      const csv = [
        'siteId,name,longitude,latitude,postalCode,country',
        '1,Pittsburgh,-79.96,40.48,15222,US',
        '2,Swapped,40.48,-79.96,15222,US',
        '3,Unknown,40.48,-79.96,00001,US',
        '4,No code,40.48,-79.96,,',
        '5,Null,0,0,15222,US',
      ].join('\n')
      const { code, result } = await importing(csv, ...options)
      expect([code, result]).toEqual([
        1,
        {
          accepted: 4,
          rejected: [
            {
              line: 6,
              siteId: '5',
              reason: 'coordinates: Give the position of the site: 0, 0 is in the sea.',
            },
          ],
          warnings: [
            {
              line: 3,
              siteId: '2',
              warning: expect.stringMatching(
                /^The site is 1\d,\d{3} km from its postal code 15222: are longitude and latitude swapped\?$/,
              ),
            },
          ],
        },
      ])
      expect(await listed()).toHaveLength(options.length === 0 ? 4 : 0)
    },
  )

  test('are removed only if the application has them', async () => {
    await importing(ONE)
    const remove = (siteId: string) => harness.cli('purchases', 'sites', 'remove', siteId, ...own)
    expect(await remove('2')).toMatchObject({
      code: 1,
      error: 'odograph: The application has no site 2: nothing was removed.\n',
    })
    expect(await listed()).toHaveLength(1)
    expect(await remove('1')).toMatchObject({ code: 0, error: 'The site 1 is removed.\n' })
    expect((await remove('1')).code).toBe(1)
  })

  test('are listed only after an id', async () => {
    const { code, error } = await harness.cli('purchases', 'sites', 'list', '--after', 'nope', ...own)
    expect([code, error]).toEqual([2, expect.stringMatching(/Give an id like pst_/)])
  })

  test('are printed without control characters', async () => {
    const name = '"A\u001b[31m\nB\u009b2J\tC"'
    await importing(`siteId,name,longitude,latitude\n1,${name},-97.7,30.2\n`)
    const { out } = await harness.cli('purchases', 'sites', 'list', ...own)
    expect(out).toContain(String.raw`A\u001b[31m\nB\u009b2J\tC`)
    const { out: json } = await harness.cli('--json', 'purchases', 'sites', 'list', ...own)
    expect(json).not.toMatch(/[\u007f-\u009f]/)
    const { error } = await importing('siteId,\u001b[2Jname\u009b\n1,A\n')
    expect(error).toContain(String.raw`unknown columns: \u001b[2Jname\u009b`)
  })

  test('need a file and an application', async () => {
    const missing = await harness.cli('purchases', 'sites', 'import', 'no-such.csv', ...own)
    expect([missing.code, missing.error]).toEqual([1, expect.stringContaining('cannot read no-such.csv')])
    const application = ['--application', unknownId('application')]
    for (const args of [['list'], ['remove', 'a'], ['import', 'no-such.csv']])
      expect((await harness.cli('purchases', 'sites', ...args, ...application)).code).not.toBe(0)
    const help = await harness.cli('purchases', 'sites', 'import', '--help')
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('siteId,name,longitude,latitude')])
  })
})
