import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '../../../src/platform/lifecycle/concurrency-limit.ts'

/** Work that ends when the test says so. */
function controlledWork(names: readonly string[]) {
  const started: string[] = []
  const works = names.map((name) => {
    let end!: () => void
    let fail!: () => void
    const promise = new Promise<string>((resolve, reject) => {
      end = () => resolve(name)
      fail = () => reject(new Error(name))
    })
    const run = () => {
      started.push(name)
      return promise
    }
    return { run, end, fail }
  })
  return { started, works }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

test('work beyond the limit starts in its order when other work ends', async () => {
  const { started, works } = controlledWork(['a', 'b', 'c', 'd'])
  const limited = createConcurrencyLimit(2)
  const results = works.map(({ run }) => limited(run))
  await settled()
  expect(started).toEqual(['a', 'b'])
  works[1]!.end()
  await settled()
  expect(started).toEqual(['a', 'b', 'c'])
  for (const { end } of works) end()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd'])
})

test('work that fails makes room too', async () => {
  const { started, works } = controlledWork(['a', 'b'])
  const limited = createConcurrencyLimit(1)
  const [first, second] = works.map(({ run }) => limited(run))
  works[0]!.fail()
  await expect(first).rejects.toThrow('a')
  works[1]!.end()
  expect([await second, started]).toEqual(['b', ['a', 'b']])
})

test('work that starts later takes no more than the free places', async () => {
  const { started, works } = controlledWork(['a', 'b', 'c'])
  const limited = createConcurrencyLimit(1)
  works[0]!.end()
  await limited(works[0]!.run)
  const results = works.slice(1).map(({ run }) => limited(run))
  await settled()
  expect(started).toEqual(['a', 'b'])
  for (const { end } of works) end()
  await Promise.all(results)
})
