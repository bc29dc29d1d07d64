import { expect, test } from 'vitest'
import { type Attempt, follow } from '../../../dashboard/src/api/follow.ts'

/** Follows a stream whose attempts end as the test says, and notes what happens. */
function followed(hasAccess: () => Promise<boolean> = () => Promise.resolve(true)) {
  const attempts: Attempt<number>[] = []
  const notes: string[] = []
  const stop = follow<number>({
    open: (attempt) => attempts.push(attempt),
    next: (item) => notes.push(`item ${item}`),
    error: (error) => notes.push(`error ${JSON.stringify(error)}`),
    hasAccess,
    signedOut: () => notes.push('signed out'),
    forbidden: () => notes.push('forbidden'),
    wait: (failures) => {
      notes.push(`wait ${failures}`)
      return Promise.resolve()
    },
  })
  return { attempts, notes, stop }
}

test('opens a stream again that the service refused for now', async () => {
  const { attempts, notes } = followed()
  attempts[0]?.failed({ code: 4429 })
  await expect.poll(() => attempts).toHaveLength(2)
  attempts[1]?.failed([{ message: 'Too many subscriptions.' }])
  await expect.poll(() => attempts).toHaveLength(3)
  attempts[2]?.next(7)
  attempts[2]?.completed()
  await expect.poll(() => attempts).toHaveLength(4)
  expect(notes).toEqual([
    'error {"code":4429}',
    'wait 0',
    'error [{"message":"Too many subscriptions."}]',
    'wait 1',
    'item 7',
    'wait 0',
  ])
})

test('opens a stream again if its access ended but the session still reads', async () => {
  const { attempts, notes } = followed()
  attempts[0]?.failed({ code: 4403 })
  await expect.poll(() => attempts).toHaveLength(2)
  expect(notes).toEqual(['wait 0'])
})

test('signs out if the session has ended, and not while the service cannot be reached', async () => {
  const ended = followed(() => Promise.resolve(false))
  ended.attempts[0]?.failed({ code: 4403 })
  await expect.poll(() => ended.notes).toEqual(['signed out'])
  expect(ended.attempts).toHaveLength(1)

  const unreachable = followed(() => Promise.reject(new Error('fetch failed')))
  unreachable.attempts[0]?.failed({ code: 4403 })
  await expect.poll(() => unreachable.attempts).toHaveLength(2)
})

test('does not open a stream again that the person may not receive', async () => {
  const { attempts, notes } = followed()
  attempts[0]?.failed([{ message: 'No.', extensions: { code: 'FORBIDDEN' } }])
  await expect.poll(() => notes).toContain('forbidden')
  expect(attempts).toHaveLength(1)
})

test('does nothing more after its end', async () => {
  const { attempts, notes, stop } = followed()
  stop()
  attempts[0]?.next(1)
  attempts[0]?.failed({ code: 4429 })
  await Promise.resolve()
  expect(attempts).toHaveLength(1)
  expect(notes).toEqual([])
})
