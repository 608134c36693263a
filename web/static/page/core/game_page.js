// What a game's page passes to the shared page with begin(): data, and functions that render parts of it.
// Parts that a game leaves out are drawn plainly, from what the companion publishes of every game.
//
// id: of the game. title: its name, shown while none is running. fileName: start of names of saved pictures.
// emblem: address of a picture for the middle of a table.
// figures: by id what marks a player: {name, title, colour: CSS colour, ink: the same on dark}.
// words: texts by name: welcome, camera, hand, byHand, places, ownPlace, spectator, heroPage; tied and
// victoryShared: why several are first, where points alone do not decide.
// sheets: components by name. screens: components by name of the screens that only this game has; hosts open
// them, also without a game or beside another one.
// follow(game): called with each new state, null without a game.
// heading(state): title of a state, {view, stage}.
//
// Table:
// middle(game, turned): the middle; turned: how far the table is turned, as a fraction of a full turn.
// caption(game): line below it. notice(game): beside that line.
// seatContent(game, seat, towards, controls), seatClasses(game, seat): of a plaque.
// handStep(game): entry by hand. entersByHand(game): whether it is shown although a camera reads the game.
// steps(game): buttons of what comes next.
// comparison(game): what the camera sees beside the journal. readButton(game).
// overlay(): over the whole screen. together(game): whether all move at the same time.
//
// Proposals: proposal.{isDrawn(candidate): the plaques show it, answer(game, candidates, choice),
// pictureText(name), correct(proposal): opens another answer}.
//
// Own place:
// place(game, seat). concerning(game, seat): text that changes when the seat's choices do.
// seatToMove(game): seat whose moves every screen offers, null where it is the seat that is shown.
// undoable(game): types of moves that players may undo by themselves.
//
// History:
// chapters(lines, seats, stage): the moves of a game, in the history or a replay, as [{title, round, lines}].
// replayTable(moment, step), replayClass and replaySeat(moment, step, seat).
// editor(game, edit, change), mayInsert(before), mayBeMissing(move), changed(before, after, seat).
//
// Scores: hero(game, ranking, title, reason), victory(name), keepsakeIcons: address by id of a score line,
// scoresNotice(game): what the scores of a running game leave out, afterScores(game): below the sums.
// Set-up: setupSteps.{cards, tokens, boards}: components of those of setup/ that its kit needs beyond sheet
// and pieces.
// kindName(kind), kindSign(kind) of pieces, pieceOf(figure): its kind. wordSign(word), wordName(word): of the
// words on cards. cardPictures: address by kind of card; cardSheet: address of the printed stand-in cards.
// Settings: settings.{hints, reminders}: explanations.
// Demonstration: demo.{caption(game), side(game), player(game, seat), ending(director)}.
export const gamePage = {
  title: "",
  emblem: null,
  figures: {},
  words: {},
  sheets: {},
  screens: {},
  legend: () => [],
  proposal: {},
  setupSteps: {},
  cardPictures: {},
  settings: {},
  keepsakeIcons: {},
  demo: null,
};

// Return what this page's game passed to begin(), if it has this id; an empty object otherwise.
export function partsOf(id) {
  return id === gamePage.id ? gamePage : {};
}
