// The entry of the page of a game without modules of its own: everything is drawn plainly.

import { begin } from "./app.js";

begin({});
