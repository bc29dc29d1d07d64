/** Members of responses by provider and model, each with its endpoint. */
type OddMembers = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/**
 * Members without which a record cannot be read: its id, its owner, a time that it requires, the kind of record, and the
 * position or measurement that is its only content. The wrapper of such a member is one too.
 */
export const requiredMembers: OddMembers = {
  traccar: {
    Group: ['/groups id'],
    Driver: ['/drivers id', '/drivers uniqueId'],
    Vehicle: ['/devices id'],
    Device: ['/devices id'],
    Trip: ['/reports/trips deviceId', '/reports/trips endTime', '/reports/trips startTime'],
    SafetyEvent: [
      '/reports/events attributes',
      '/reports/events attributes.alarm',
      '/reports/events deviceId',
      '/reports/events eventTime',
      '/reports/events id',
      '/reports/events type',
    ],
    VehicleUtilization: ['/reports/summary deviceId', '/reports/summary startTime'],
    VehicleLocation: [
      '/positions deviceId',
      '/positions fixTime',
      '/positions id',
      '/positions latitude',
      '/positions longitude',
    ],
    VehicleStatLog: [
      '/positions attributes.fuelLevel',
      '/positions attributes.hours',
      '/positions attributes.ignition',
      '/positions deviceId',
      '/positions fixTime',
      '/positions id',
      '/positions latitude',
      '/positions longitude',
    ],
    LatestVehicleLocation: [
      '/positions deviceId',
      '/positions fixTime',
      '/positions id',
      '/positions latitude',
      '/positions longitude',
    ],
  },
  samsara: {
    Group: ['/tags data.id'],
    Driver: ['/fleet/drivers data.id'],
    Vehicle: ['/fleet/vehicles data.id'],
    Trailer: ['/fleet/trailers data.id'],
    Device: ['/gateways data.serial'],
    Trip: [
      '/trips/stream data.asset',
      '/trips/stream data.asset.id',
      '/trips/stream data.tripEndTime',
      '/trips/stream data.tripStartTime',
    ],
    SafetyEvent: [
      '/safety-events/stream data.asset',
      '/safety-events/stream data.asset.id',
      '/safety-events/stream data.behaviorLabels',
      '/safety-events/stream data.behaviorLabels.label',
      '/safety-events/stream data.id',
      '/safety-events/stream data.startMs',
    ],
    FaultCodeEvent: [
      '/fleet/vehicles/stats/history data.faultCodes',
      '/fleet/vehicles/stats/history data.faultCodes.j1939',
      '/fleet/vehicles/stats/history data.faultCodes.j1939.diagnosticTroubleCodes',
      '/fleet/vehicles/stats/history data.faultCodes.j1939.diagnosticTroubleCodes.spnId',
      '/fleet/vehicles/stats/history data.faultCodes.time',
      '/fleet/vehicles/stats/history data.id',
    ],
    HOSLog: [
      '/fleet/hos/logs data.driver',
      '/fleet/hos/logs data.driver.id',
      '/fleet/hos/logs data.hosLogs',
      '/fleet/hos/logs data.hosLogs.hosStatusType',
      '/fleet/hos/logs data.hosLogs.logStartTime',
    ],
    HOSDailyLog: [
      '/fleet/hos/daily-logs data.driver',
      '/fleet/hos/daily-logs data.driver.id',
      '/fleet/hos/daily-logs data.startTime',
    ],
    VehicleLocation: [
      '/fleet/vehicles/stats/history data.gps',
      '/fleet/vehicles/stats/history data.gps.latitude',
      '/fleet/vehicles/stats/history data.gps.longitude',
      '/fleet/vehicles/stats/history data.gps.time',
      '/fleet/vehicles/stats/history data.id',
    ],
    VehicleStatLog: [
      '/fleet/vehicles/stats/history data.engineStates',
      '/fleet/vehicles/stats/history data.engineStates.time',
      '/fleet/vehicles/stats/history data.engineStates.value',
      '/fleet/vehicles/stats/history data.fuelPercents',
      '/fleet/vehicles/stats/history data.fuelPercents.time',
      '/fleet/vehicles/stats/history data.fuelPercents.value',
      '/fleet/vehicles/stats/history data.id',
      '/fleet/vehicles/stats/history data.obdEngineSeconds',
      '/fleet/vehicles/stats/history data.obdEngineSeconds.time',
      '/fleet/vehicles/stats/history data.obdEngineSeconds.value',
    ],
    VehicleUtilization: [
      '/fleet/reports/vehicles/fuel-energy data.vehicleReports.vehicle',
      '/fleet/reports/vehicles/fuel-energy data.vehicleReports.vehicle.id',
    ],
    IFTASummary: [
      '/fleet/reports/ifta/vehicle data.vehicleReports.jurisdictions',
      '/fleet/reports/ifta/vehicle data.vehicleReports.jurisdictions.totalMeters',
      '/fleet/reports/ifta/vehicle data.vehicleReports.vehicle',
      '/fleet/reports/ifta/vehicle data.vehicleReports.vehicle.id',
    ],
    LatestVehicleLocation: [
      '/fleet/vehicles/stats data.gps',
      '/fleet/vehicles/stats data.gps.latitude',
      '/fleet/vehicles/stats data.gps.longitude',
      '/fleet/vehicles/stats data.gps.time',
      '/fleet/vehicles/stats data.id',
    ],
    LatestTrailerLocation: [
      '/fleet/trailers/stats data.gps',
      '/fleet/trailers/stats data.gps.latitude',
      '/fleet/trailers/stats data.gps.longitude',
      '/fleet/trailers/stats data.gps.time',
      '/fleet/trailers/stats data.id',
    ],
    HOSAvailableTime: ['/fleet/hos/clocks data.driver', '/fleet/hos/clocks data.driver.id'],
  },
  geotab: {
    Group: ['Get Group id'],
    Driver: ['Get User id'],
    Vehicle: ['Get Device id'],
    Trailer: ['Get Trailer id'],
    Device: ['Get Device id'],
    VehicleLocation: [
      'GetFeed LogRecord data.dateTime',
      'GetFeed LogRecord data.device',
      'GetFeed LogRecord data.device.id',
      'GetFeed LogRecord data.latitude',
      'GetFeed LogRecord data.longitude',
    ],
    VehicleStatLog: [
      'GetFeed StatusData data.data',
      'GetFeed StatusData data.dateTime',
      'GetFeed StatusData data.device',
      'GetFeed StatusData data.device.id',
      'GetFeed StatusData data.diagnostic',
      'GetFeed StatusData data.diagnostic.id',
    ],
    Trip: [
      'GetFeed Trip data.device',
      'GetFeed Trip data.device.id',
      'GetFeed Trip data.start',
      'GetFeed Trip data.stop',
    ],
    SafetyEvent: [
      'GetFeed ExceptionEvent data.activeFrom',
      'GetFeed ExceptionEvent data.device',
      'GetFeed ExceptionEvent data.device.id',
      'GetFeed ExceptionEvent data.id',
      'GetFeed ExceptionEvent data.rule',
      'GetFeed ExceptionEvent data.rule.id',
    ],
    FaultCodeEvent: [
      'ExecuteMultiCall Diagnostic code',
      'ExecuteMultiCall Diagnostic diagnosticType',
      'GetFeed FaultData data.dateTime',
      'GetFeed FaultData data.device',
      'GetFeed FaultData data.device.id',
      'GetFeed FaultData data.diagnostic',
      'GetFeed FaultData data.diagnostic.id',
      'GetFeed FaultData data.id',
    ],
    HOSLog: [
      'GetFeed DutyStatusLog data.dateTime',
      'GetFeed DutyStatusLog data.driver',
      'GetFeed DutyStatusLog data.driver.id',
      'GetFeed DutyStatusLog data.id',
      'GetFeed DutyStatusLog data.status',
    ],
    VehicleUtilization: [],
    LatestVehicleLocation: [
      'Get DeviceStatusInfo dateTime',
      'Get DeviceStatusInfo device',
      'Get DeviceStatusInfo device.id',
      'Get DeviceStatusInfo latitude',
      'Get DeviceStatusInfo longitude',
    ],
    HOSAvailableTime: [
      'ExecuteMultiCall DutyStatusAvailability driver',
      'ExecuteMultiCall DutyStatusAvailability driver.id',
    ],
  },
  motive: {
    Group: ['/v1/groups groups.group', '/v1/groups groups.group.id'],
    Driver: ['/v1/users users.user', '/v1/users users.user.id'],
    Vehicle: ['/v1/vehicles vehicles.vehicle', '/v1/vehicles vehicles.vehicle.id'],
    Trailer: ['/v1/assets assets.asset', '/v1/assets assets.asset.id'],
    Device: ['/v1/eld_devices eld_devices.eld_device', '/v1/eld_devices eld_devices.eld_device.id'],
    Trip: [
      '/v1/driving_periods driving_periods.driving_period',
      '/v1/driving_periods driving_periods.driving_period.end_time',
      '/v1/driving_periods driving_periods.driving_period.id',
      '/v1/driving_periods driving_periods.driving_period.start_time',
      '/v1/driving_periods driving_periods.driving_period.vehicle',
      '/v1/driving_periods driving_periods.driving_period.vehicle.id',
    ],
    SafetyEvent: [
      '/v2/driver_performance_events driver_performance_events.driver_performance_event',
      '/v2/driver_performance_events driver_performance_events.driver_performance_event.id',
      '/v2/driver_performance_events driver_performance_events.driver_performance_event.start_time',
      '/v2/driver_performance_events driver_performance_events.driver_performance_event.type',
      '/v2/driver_performance_events driver_performance_events.driver_performance_event.vehicle',
      '/v2/driver_performance_events driver_performance_events.driver_performance_event.vehicle.id',
    ],
    FaultCodeEvent: [
      '/v1/fault_codes fault_codes.fault_code',
      '/v1/fault_codes fault_codes.fault_code.code',
      '/v1/fault_codes fault_codes.fault_code.id',
      '/v1/fault_codes fault_codes.fault_code.last_observed_at',
      '/v1/fault_codes fault_codes.fault_code.status',
      '/v1/fault_codes fault_codes.fault_code.vehicle',
      '/v1/fault_codes fault_codes.fault_code.vehicle.id',
    ],
    HOSDailyLog: [
      '/v1/logs logs.log',
      '/v1/logs logs.log.date',
      '/v1/logs logs.log.driver',
      '/v1/logs logs.log.driver.id',
      '/v1/logs logs.log.id',
    ],
    VehicleLocation: [
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.lat',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.located_at',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.lon',
    ],
    VehicleStatLog: [
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.fuel_primary_remaining_percentage',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.lat',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.located_at',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.lon',
      '/v3/vehicle_locations/:id vehicle_locations.vehicle_location.type',
    ],
    VehicleUtilization: [
      '/v2/vehicle_utilization vehicle_utilizations.vehicle_utilization',
      '/v2/vehicle_utilization vehicle_utilizations.vehicle_utilization.vehicle',
      '/v2/vehicle_utilization vehicle_utilizations.vehicle_utilization.vehicle.id',
      '/v2/vehicle_utilization vehicle_utilizations.vehicle_utilization.vehicle.metric_units',
    ],
    IFTASummary: [
      '/v1/ifta/summary ifta_trips.ifta_trip',
      '/v1/ifta/summary ifta_trips.ifta_trip.distance',
      '/v1/ifta/summary ifta_trips.ifta_trip.vehicle',
      '/v1/ifta/summary ifta_trips.ifta_trip.vehicle.id',
      '/v1/ifta/summary ifta_trips.ifta_trip.vehicle.metric_units',
    ],
    LatestVehicleLocation: [
      '/v3/vehicle_locations vehicles.vehicle',
      '/v3/vehicle_locations vehicles.vehicle.current_location',
      '/v3/vehicle_locations vehicles.vehicle.current_location.lat',
      '/v3/vehicle_locations vehicles.vehicle.current_location.located_at',
      '/v3/vehicle_locations vehicles.vehicle.current_location.lon',
      '/v3/vehicle_locations vehicles.vehicle.id',
    ],
    LatestTrailerLocation: [
      '/v1/asset_locations assets.asset',
      '/v1/asset_locations assets.asset.id',
      '/v1/asset_locations assets.asset.last_location',
      '/v1/asset_locations assets.asset.last_location.lat',
      '/v1/asset_locations assets.asset.last_location.located_at',
      '/v1/asset_locations assets.asset.last_location.lon',
    ],
    HOSAvailableTime: ['/v1/available_time users.user', '/v1/available_time users.user.id'],
  },
}

/** Members of Geotab's positions and duty statuses, which several models are joined with or derived from. */
const positionMembers = [
  'ExecuteMultiCall LogRecord dateTime',
  'ExecuteMultiCall LogRecord latitude',
  'ExecuteMultiCall LogRecord longitude',
]

const dutyStatusMembers = [
  'ExecuteMultiCall DutyStatusLog dateTime',
  'ExecuteMultiCall DutyStatusLog driver',
  'ExecuteMultiCall DutyStatusLog driver.id',
  'ExecuteMultiCall DutyStatusLog id',
  'ExecuteMultiCall DutyStatusLog status',
]

/**
 * Members of other records that a record is joined with or derived from. The sync of the other model reports them. No
 * issue reports these three: the start of a trip in the older list of Samsara, the members of a group of Motive, and
 * the time zone of the company of Motive.
 */
export const membersOfOtherRecords: OddMembers = {
  traccar: {
    Trip: ['/devices id'],
    SafetyEvent: ['/positions id'],
    VehicleUtilization: ['/devices id'],
    VehicleLocation: ['/devices id'],
    VehicleStatLog: ['/devices id', '/positions attributes'],
  },
  samsara: {
    Trip: ['/v1/fleet/trips trips.startMs'],
    VehicleStatLog: ['/fleet/vehicles/stats data.id'],
  },
  geotab: {
    Trip: positionMembers,
    SafetyEvent: positionMembers,
    HOSDailyLog: [...dutyStatusMembers, 'Get User id', 'Get User timeZoneId'],
    HOSAvailableTime: [...dutyStatusMembers, 'Get User id'],
  },
  motive: {
    Driver: [
      '/v1/groups groups.group',
      '/v1/groups groups.group.id',
      '/v1/groups/:id/users users.user',
      '/v1/groups/:id/users users.user.id',
    ],
    Vehicle: [
      '/v1/groups groups.group',
      '/v1/groups groups.group.id',
      '/v1/groups/:id/vehicles vehicles.vehicle',
      '/v1/groups/:id/vehicles vehicles.vehicle.id',
    ],
    VehicleLocation: [
      '/v1/vehicles vehicles.vehicle',
      '/v1/vehicles vehicles.vehicle.id',
      '/v1/vehicles vehicles.vehicle.metric_units',
    ],
    VehicleStatLog: [
      '/v1/vehicles vehicles.vehicle',
      '/v1/vehicles vehicles.vehicle.id',
      '/v1/vehicles vehicles.vehicle.metric_units',
    ],
    VehicleUtilization: ['/v1/companies companies.company', '/v1/companies companies.company.time_zone'],
    LatestVehicleLocation: [
      '/v1/vehicles vehicles.vehicle',
      '/v1/vehicles vehicles.vehicle.id',
      '/v1/vehicles vehicles.vehicle.metric_units',
    ],
  },
}
