import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stores } from '../../support/database/stores.ts'
import { seedApplication, unknownId } from '../../support/factories.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

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

  async function importing(csv: string, ...options: string[]) {
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
322,"Love's Travel Stop #322",-90.7817,41.6175,150,52773,Walcott,IA,us\r
"a,b",Pilot,-97.7431,30.2672,,,,,\r\n`
    expect(await importing(csv)).toEqual({ code: 0, error: '', result: { accepted: 2, rejected: [] } })
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
      { line: 3, reason: 'siteId: Give 1 to 255 characters.' },
      { line: 4, reason: 'name: Give 1 to 255 characters.' },
      { line: 6, reason: 'longitude: Give a number such as 378.5.' },
      { line: 7, reason: 'The row has no latitude.' },
      {
        line: 8,
        reason: 'coordinates: Give a longitude from -180 to 180 and a latitude from -90 to 90.',
      },
      { line: 9, reason: 'radiusMeters: Give 10 to 5000 meters.' },
      {
        line: 10,
        reason:
          'postalCode: Give a ZIP code with five or nine digits. Spreadsheets may leave out leading zeros.',
      },
      { line: 11, reason: 'country: Give the country of the postal code, such as US.' },
      { line: 13, reason: 'country: Give two capital letters, such as US.' },
      { line: 14, reason: 'The row has 4 fields, but there are 7 columns.' },
      { line: 15, reason: 'Line 2 has the same siteId.' },
    ],
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
      { accepted: 2300, rejected: [{ line: 2302, reason: 'Line 2 has the same siteId.' }] },
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
      /not valid CSV: Quote Not Closed.*line 3/,
    ],
    ['nothing in it', '', /no columns siteId/],
  ])('are not read from a file with %s', async (_, csv, message) => {
    const { code, error } = await importing(csv)
    expect([code, error]).toEqual([1, expect.stringMatching(message)])
    expect(await listed()).toEqual([])
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
