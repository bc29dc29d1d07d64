import { QUEUE_GRACE_MS, LEASE_MS, MIN_WAIT_MS } from './limiter-store.ts'

/**
 * Lua scripts of the limiter store. They implement the rules of `memory-store.ts` atomically, with the clock
 * of Redis. A counter has three sorted sets: all permits by expiry, the background permits by expiry, and the
 * queue by the time at which a waiter is dropped. Queue positions sort as text: `0` for live or `1` for
 * background, then the time of arrival.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.ceil(time[2] / 1000)
`

/**
 * Takes a permit from each counter, or returns the wait. KEYS: the pause, then the three sets of each counter.
 * ARGV: id, live, queue position or '', then requests, background and window of each counter. Returns the wait in
 * milliseconds (0 with a permit), whether a pause is the reason, and the queue position.
 */
export const TAKE = `
${NOW}
local id, live, position = ARGV[1], ARGV[2] == '1', ARGV[3]
if position == '' then position = string.format('%s%015.0f:%s', live and '0' or '1', now, id) end
local counters = (#KEYS - 1) / 3

local function leave(from)
  for index = from, counters do redis.call('ZREM', KEYS[3 * index + 1], position) end
end

local function wait_for_room(key, room, window)
  local held = redis.call('ZCARD', key)
  if held < room then return 0 end
  local rank = math.min(held - room, held - 1)
  local free = held > 0 and tonumber(redis.call('ZRANGE', key, rank, rank, 'WITHSCORES')[2]) or now + ${MIN_WAIT_MS}
  return math.max(1, math.min(free - now, math.max(window, ${MIN_WAIT_MS})))
end

local paused = redis.call('PTTL', KEYS[1])
if paused > 0 then
  leave(1)
  return { paused, 1, position }
end

for index = 1, counters do
  local all, background, queue = KEYS[3 * index - 1], KEYS[3 * index], KEYS[3 * index + 1]
  local requests, share, window = tonumber(ARGV[3 * index + 1]), tonumber(ARGV[3 * index + 2]), tonumber(ARGV[3 * index + 3])
  for _, key in ipairs({ all, background, queue }) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
  local ahead, ahead_in_background = 0, 0
  for _, waiting in ipairs(redis.call('ZRANGE', queue, 0, -1)) do
    if waiting < position then
      ahead = ahead + 1
      if string.sub(waiting, 1, 1) == '1' then ahead_in_background = ahead_in_background + 1 end
    end
  end
  local wait = wait_for_room(all, requests - ahead, window)
  if not live then wait = math.max(wait, wait_for_room(background, share - ahead_in_background, window)) end
  if wait > 0 then
    for joined = 1, index do
      redis.call('ZADD', KEYS[3 * joined + 1], now + wait + ${QUEUE_GRACE_MS}, position)
      redis.call('PEXPIRE', KEYS[3 * joined + 1], 2 * wait + ${QUEUE_GRACE_MS + LEASE_MS})
    end
    leave(index + 1)
    return { math.ceil(wait), 0, position }
  end
end

for index = 1, counters do
  local lifetime = tonumber(ARGV[3 * index + 3]) + ${LEASE_MS}
  redis.call('ZADD', KEYS[3 * index - 1], now + lifetime, id)
  redis.call('PEXPIRE', KEYS[3 * index - 1], lifetime)
  if not live then
    redis.call('ZADD', KEYS[3 * index], now + lifetime, id)
    redis.call('PEXPIRE', KEYS[3 * index], lifetime)
  end
end
leave(1)
return { 0, 0, position }
`

/**
 * Starts the window of a permit. KEYS: the two permit sets of each counter. ARGV: id, live, the window of
 * each counter.
 */
export const SETTLE = `
${NOW}
for index = 1, #KEYS / 2 do
  local window = tonumber(ARGV[index + 2])
  redis.call('ZADD', KEYS[2 * index - 1], now + window, ARGV[1])
  redis.call('PEXPIRE', KEYS[2 * index - 1], window + ${LEASE_MS})
  if ARGV[2] == '0' then
    redis.call('ZADD', KEYS[2 * index], now + window, ARGV[1])
    redis.call('PEXPIRE', KEYS[2 * index], window + ${LEASE_MS})
  end
end
`

/** Sets a pause, or extends a shorter one. KEYS: the pause. ARGV: its milliseconds. */
export const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
`
