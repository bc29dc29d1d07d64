import { QUEUE_GRACE_MS, LEASE_MS, MIN_WAIT_MS } from './limiter-store.ts'

/**
 * Lua scripts of the limiter store. They implement the rules of `memory-store.ts` atomically, with the clock
 * of Redis. A counter is three sorted sets: all permits and the background permits, by expiry, and the queue,
 * by the time at which a waiter is dropped. Queue positions sort as text: `0` for live or `1` for background,
 * then the time of arrival.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.ceil(time[2] / 1000)
`

/**
 * KEYS: the pause, then three per counter. ARGV: id, live, queue position or '', then three numbers per
 * counter.
 */
export const TAKE = `
${NOW}
local id, live, place = ARGV[1], ARGV[2] == '1', ARGV[3]
if place == '' then place = string.format('%s%015.0f:%s', live and '0' or '1', now, id) end
local last = (#KEYS - 1) / 3

local function leave(from)
  for at = from, last do redis.call('ZREM', KEYS[3 * at + 1], place) end
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
  return { paused, 1, place }
end

for at = 1, last do
  local all, background, line = KEYS[3 * at - 1], KEYS[3 * at], KEYS[3 * at + 1]
  local requests, share, window = tonumber(ARGV[3 * at + 1]), tonumber(ARGV[3 * at + 2]), tonumber(ARGV[3 * at + 3])
  for _, key in ipairs({ all, background, line }) do redis.call('ZREMRANGEBYSCORE', key, '-inf', now) end
  local ahead, ahead_in_background = 0, 0
  for _, other in ipairs(redis.call('ZRANGE', line, 0, -1)) do
    if other < place then
      ahead = ahead + 1
      if string.sub(other, 1, 1) == '1' then ahead_in_background = ahead_in_background + 1 end
    end
  end
  local wait = wait_for_room(all, requests - ahead, window)
  if not live then wait = math.max(wait, wait_for_room(background, share - ahead_in_background, window)) end
  if wait > 0 then
    for joined = 1, at do
      redis.call('ZADD', KEYS[3 * joined + 1], now + wait + ${QUEUE_GRACE_MS}, place)
      redis.call('PEXPIRE', KEYS[3 * joined + 1], 2 * wait + ${QUEUE_GRACE_MS + LEASE_MS})
    end
    leave(at + 1)
    return { math.ceil(wait), 0, place }
  end
end

for at = 1, last do
  local kept = tonumber(ARGV[3 * at + 3]) + ${LEASE_MS}
  redis.call('ZADD', KEYS[3 * at - 1], now + kept, id)
  redis.call('PEXPIRE', KEYS[3 * at - 1], kept)
  if not live then
    redis.call('ZADD', KEYS[3 * at], now + kept, id)
    redis.call('PEXPIRE', KEYS[3 * at], kept)
  end
end
leave(1)
return { 0, 0, place }
`

/** KEYS: two per counter. ARGV: id, live, then the window of each counter. */
export const SETTLE = `
${NOW}
for at = 1, #KEYS / 2 do
  local window = tonumber(ARGV[at + 2])
  redis.call('ZADD', KEYS[2 * at - 1], now + window, ARGV[1])
  redis.call('PEXPIRE', KEYS[2 * at - 1], window + ${LEASE_MS})
  if ARGV[2] == '0' then
    redis.call('ZADD', KEYS[2 * at], now + window, ARGV[1])
    redis.call('PEXPIRE', KEYS[2 * at], window + ${LEASE_MS})
  end
end
`

/** Sets a pause, or extends a shorter one. */
export const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], 1, 'PX', ARGV[1]) end
`

/** Records the heartbeat of a process and returns the number of live processes. */
export const PRESENT = `
${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])
`
