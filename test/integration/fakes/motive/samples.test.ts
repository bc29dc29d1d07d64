import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeHarness, runMotive } from '../../../fakes/motive/harness.ts'

/** The keys of published sample bodies. Every item of the fake must have them. */
const samples: Readonly<Record<string, string>> = {
  '/v1/vehicles':
    'id company_id number status ifta vin make model year license_plate_state license_plate_number metric_units ' +
    'fuel_type prevent_auto_odometer_entry eld_device current_driver',
  '/v1/users?role=driver':
    'id email first_name last_name phone phone_ext time_zone role status metric_units username cycle ' +
    'driver_company_id minute_logs eld_mode drivers_license_number drivers_license_state yard_moves_enabled ' +
    'personal_conveyance_enabled duty_status created_at updated_at',
  '/v1/groups': 'id name company_id user',
  '/v1/eld_devices': 'vehicle id identifier model',
  '/v1/available_time': 'id first_name last_name driver_company_id available_time',
  '/v1/vehicle_locations': 'id number year make model vin current_location current_driver',
  '/v1/logs?start_date=2026-06-10&end_date=2026-06-10':
    'id date total_miles metric_units driver_signed_at time_zone cycle driver_first_name driver_last_name ' +
    'carrier_name eld_mode co_driver_full_names off_duty_duration on_duty_duration sleeper_duration ' +
    'driving_duration waiting_duration driver vehicles remarks hos_violations events',
  '/v1/hours_of_service?start_date=2026-06-10&end_date=2026-06-10':
    'id date off_duty_duration on_duty_duration sleeper_duration driving_duration waiting_duration driver',
  '/v1/driving_periods?start_date=2026-06-01&end_date=2026-06-10':
    'id start_time end_time status type annotation_status notes duration start_kilometers end_kilometers source ' +
    'driver vehicle',
  '/v1/speeding_events':
    'speeding_distance_in_km max_over_speed_in_kph avg_over_speed_in_kph min_posted_speed_limit_in_kph ' +
    'max_posted_speed_limit_in_kph avg_vehicle_speed min_vehicle_speed max_vehicle_speed id duration start_lat ' +
    'start_lon end_lat end_lon type start_time end_time coaching_status status driver eld_device vehicle metadata',
  '/v2/driver_performance_events':
    'id acceleration duration end_bearing end_speed end_time lat lon m_gps_lat m_gps_lon start_time type',
  '/v1/fault_codes':
    'id code code_label code_description source_address_label status first_observed_at last_observed_at type fmi ' +
    'occurrence_count num_observations sum_num_observations source_address_name source_address is_sid ' +
    'fmi_description dtc_status dtc_severity eld_device vehicle network',
  '/v2/vehicle_utilization?start_at=2026-06-10T12:00:00Z&end_at=2026-06-10T13:00:00Z':
    'message last_located_at utilization_percentage idle_time idle_fuel driving_time driving_fuel total_fuel ' +
    'total_distance vehicle',
  '/v1/ifta/summary?start_date=2026-06-01&end_date=2026-06-30': 'jurisdiction vehicle distance time_zone',
}

let motive: FakeHarness
beforeAll(async () => {
  motive = await runMotive({ vehicles: 40, days: 45 })
})
afterAll(() => motive[Symbol.asyncDispose]())

test.each(Object.entries(samples))('%s has the keys of its sample', async (path, keys) => {
  const items = await motive.all<object>(path)
  expect(items.length).toBeGreaterThan(0)
  for (const item of items) expect(Object.keys(item)).toEqual(expect.arrayContaining(keys.split(' ')))
})
