// For each time zone named on standard input one line of JSON: what JavaScript writes in brackets behind a date in the first month of
// each quarter, from 1970 to 2037.
import {createInterface} from 'node:readline';

const label = date => /\((.*)\)$/.exec(date.toString())[1];
const dates = [];
for (let year = 1970; year < 2038; ++year) for (const month of [0, 3, 6, 9]) dates.push(Date.UTC(year, month, 15));

for await (const zone of createInterface({input: process.stdin})) {
  process.env.TZ = zone;
  console.log(JSON.stringify(dates.map(date => [date, label(new Date(date))])));
}
