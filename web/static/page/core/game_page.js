// What the game on the table hands over to the shared page. Whatever a game leaves out is drawn plainly, from
// what the companion publishes of every game.

// title: name of the game, shown while none is running.
// emblem: address of a picture for the middle of a table, or null.
// figures: by id what marks a player: {title, colour: CSS colour, picture: address of an icon}.
// words: texts of the start page by name.
// sheets, screens: components by name; screens are {name, title, about, show, forHosts, withoutGame}.
// follow(game): called with each new state, null without a game.
// heading(game): the page's title.
//
// The table: middle(game, turned), caption(game), notice(game), seatContent(game, seat, where) (all below the
// name), seatClasses(game, seat), steps(game) (buttons of what to do next), handStep(game) (entry by hand),
// comparison(game) (what the camera sees beside the journal), readButton(game), overlay(), correctSeat(game, seat).
// Proposals: proposal.{answer(game, candidates, choice), picturedSeats(proposal), pictureText(name), line(candidate),
// correct(proposal)}.
// A player's place: place(game, seat), concerning(game, seat) (text that changes when the seat's choices do),
// undoable(game) (types of moves that players may undo).
// History: chapters(history), chapterOf(step), moment(moment, step), momentOf(moment, step, seat),
// editor(game, open, edit, change), mayInsert(before), inserted(option), standing(before, after).
// Scores: hero(game, ranking, title, reason), keepsakeIcons (address by id of a score line).
// Set-up: lessons.{cards, boards}, kindName(kind), kindSign(kind), knownCards(cards), firstKind, seatKind(seat).
// Settings: settings.{hints, reminders}: explanations. demo.{caption(game), side(game), player(game, seat), ending()}.
export const gamePage = {
  title: "",
  emblem: null,
  figures: {},
  words: {},
  sheets: {},
  screens: [],
  proposal: {},
  lessons: {},
  settings: {},
  keepsakeIcons: {},
  demo: null,
};
