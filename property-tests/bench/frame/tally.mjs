import { median } from './numbers.mjs';

/** Gathers the figures of the rounds of one measurement. */
export function openTally() {
  const rows = new Map();
  const missing = [];
  const seconds = [];
  return {
    /** One figure of one round; with the floor of the same round, its ratio to that. `chart` is for figures that only a picture shows. */
    figure(name, value, unit, { floor, chart } = {}) {
      if (!Number.isFinite(value)) throw new Error(`“${name}” came out as ${value}`);
      const row = rows.get(name) ?? {
        name,
        unit,
        values: [],
        ...(floor !== undefined && { floors: [] }),
        ...(chart === true && { chart }),
      };
      rows.set(name, row);
      row.values.push(value);
      if (floor !== undefined) row.floors.push(floor);
    },
    /** What could not be measured, and why. */
    lacks: (why) => void missing.push(why),
    spent: (time) => void seconds.push(time),
    result: () => ({
      seconds: Math.round(seconds.reduce((sum, time) => sum + time, 0)),
      ...(missing.length > 0 && { missing }),
      figures: [...rows.values()].map(told),
    }),
  };
}

const rounded = (value) => Number(value.toPrecision(4));

function told({ name, unit, values, floors, chart }) {
  const ratios = floors?.map((floor, at) => values[at] / floor);
  return {
    name,
    unit,
    median: rounded(median(values)),
    least: rounded(Math.min(...values)),
    most: rounded(Math.max(...values)),
    ...(ratios !== undefined && {
      toFloor: rounded(median(ratios)),
      toFloorLeast: rounded(Math.min(...ratios)),
      toFloorMost: rounded(Math.max(...ratios)),
    }),
    ...(chart === true && { chart }),
    values: values.map(rounded),
    ...(floors !== undefined && { floors: floors.map(rounded) }),
  };
}
